/** Commands that refuse an option given twice: Commander would use the last value, and drop the others in silence. */
import { Command, Option } from "commander";

/** An option whose values are all used. */
export class RepeatableOption extends Option {}

export class OneValueCommand extends Command {
  override createCommand(name?: string): Command {
    return new OneValueCommand(name);
  }

  override addOption(option: Option): this {
    const isForOneValue = !option.isBoolean() && !option.variadic && !(option instanceof RepeatableOption);
    // Before the listener of Commander, which sets the value.
    if (isForOneValue) this.on(`option:${option.name()}`, () => this.#requireFirst(option));
    return super.addOption(option);
  }

  #requireFirst(option: Option): void {
    if (this.getOptionValueSource(option.attributeName()) !== "cli") return;
    this.error(`error: --${option.name()} was given twice: it takes one value`);
  }
}
