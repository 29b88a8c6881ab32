/** What is typed after `npm run order --`: whatever cannot be meant is answered with all that can. */
import { expect, it } from "vitest";
import { acts } from "../scripts/order/acts.ts";
import { readCommand, Usage } from "../scripts/order/command.ts";

const faultOf = (args: string[]): string => {
  try {
    readCommand(args);
    return "";
  } catch (error) {
    expect(error).toBeInstanceOf(Usage);
    return (error as Usage).message;
  }
};

it.each([
  [[], ""],
  [["help"], ""],
  [["--help"], ""],
  [["8f3a61c2"], "Say what is to be done with the order."],
  [["8f3a61c2", "fly"], "There is no act 'fly'."],
  [["8f3a61c2", "toString"], "There is no act 'toString'."],
  [["8f3a61c2", "show", "now"], "show: Unexpected argument 'now'."],
  [["8f3a61c2", "show", "--all"], "show: Unknown option '--all'"],
  [["8f3a61c2", "ship", "--carrier", "ups"], "ship: --tracking is missing."],
  [["8f3a61c2", "refund", "--amount", "--reason", "late"], "refund: Option '--amount'"],
  [["8f3a61c2", "deliver", "--rest-given-up=no"], "deliver: Option '--rest-given-up' does not take an argument"],
  [["list", "gone"], "There is no status 'gone'."],
  [["list", "shipped", "today"], "There is no status 'shipped today'."],
])("%j is written wrongly", (args, why) => {
  const fault = faultOf(args);
  expect(fault.startsWith(why)).toBe(true);
  expect(fault).toContain("Usage: npm run order -- NUMBER ACT [OPTIONS]");
  for (const name of Object.keys(acts)) expect(fault).toContain(`  NUMBER ${name}`);
});

it.each([
  [["list"]],
  [["list", "shipped"]],
  [["8f3a61c2", "show"]],
  [["8f3a61c2", "ship", "--carrier", "ups", "--tracking", "1Z999AA10123456784", "--units", "1=2"]],
  [["8f3a61c2", "cancel-line", "--line", "1", "--reason", "asked", "--write-off"]],
])("%j is understood", (args) => {
  expect(faultOf(args)).toBe("");
});
