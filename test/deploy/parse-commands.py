"""Has the AWS CLI parse lists of arguments, up to where it would send a call. Prints what it said of each, as JSON."""
import contextlib, io, json, sys
from awscli.clidriver import create_clidriver


class WouldSend(Exception):
    pass


def refuse(model, **_):
    raise WouldSend(f"would send {model.name}")


said = []
for given in json.load(sys.stdin):
    driver = create_clidriver()
    driver.session.register("before-call", refuse)
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out), contextlib.suppress(SystemExit):
        driver.main(given)
    said.append(out.getvalue())
print(json.dumps(said))
