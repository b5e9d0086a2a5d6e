// @ts-nocheck: it runs in a browser, whose types the rest of this project does without.
/** Shows the document, ready to send real requests to the server that it came from. */
const { key } = document.body.dataset;

/** An error is one line until it is opened. */
const foldErrors = {
  wrapComponents: {
    response: (Response, { React }) =>
      function FoldedResponse(props) {
        const { code, response } = props;
        const [isOpen, setOpen] = React.useState(!/^[45]/.test(code));
        if (isOpen) return React.createElement(Response, props);
        const [name, sentence = ""] = response.get("description", "").replaceAll("`", "").split(". ");
        const button = React.createElement(
          "button",
          { type: "button", "aria-expanded": false, onClick: () => setOpen(true) },
          `▸ ${name}. ${sentence.replace(/\.$/, "")}.`,
        );
        return React.createElement(
          "tr",
          { className: "response folded", "data-code": code },
          React.createElement("td", { className: "response-col_status" }, code),
          React.createElement("td", { className: "response-col_description" }, button),
        );
      },
  },
};

const ui = SwaggerUIBundle({
  dom_id: "#reference",
  url: "/openapi.json",
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [foldErrors],
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
