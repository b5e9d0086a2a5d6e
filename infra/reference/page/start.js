// @ts-nocheck: it runs in a browser, whose types the rest of this project does without.
/** Shows the document, ready to send real requests to the server that it came from. */
const { key } = document.getElementById("reference").dataset;

const ui = SwaggerUIBundle({
  dom_id: "#reference",
  url: "/openapi.json",
  presets: [SwaggerUIBundle.presets.apis],
  // The badge would send the document's address to a validator on the internet.
  validatorUrl: null,
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  onComplete() {
    if (key) ui.preauthorizeApiKey("apiKey", key);
  },
});

const dark = matchMedia("(prefers-color-scheme: dark)");
const followScheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", followScheme);
followScheme();
