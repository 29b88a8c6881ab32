/** `npm run order -- NUMBER ACT`: what staff do to an order, beside a shop that runs or is stopped. */
import { runOrder } from "./order/run.ts";

const { code, out, error } = await runOrder(process.argv.slice(2));
process.stdout.write(out);
process.stderr.write(error);
process.exitCode = code;
