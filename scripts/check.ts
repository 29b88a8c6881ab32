/** `npm run check`: checks the books of every order. Ends with 1 if some do not add up. */
import { checkOrders } from "#shop/orders/check-orders.server.ts";
import { orderNumber } from "#shop/orders/order.ts";
import { counted } from "#shop/units.ts";
import { runCommand } from "./run-command.ts";

await runCommand(async ({ db }) => {
  const { orders, differences } = await checkOrders(db);
  for (const { orderId, problems } of differences) console.log(`${orderNumber(orderId)}: ${problems.join("; ")}`);
  console.log(`${counted(orders, "order")} checked, ${counted(differences.length, "difference")}.`);
  if (differences.length > 0) process.exitCode = 1;
});
