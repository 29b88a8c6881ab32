/** Staff who ship and refund returns, in this process or in one of their own that can be killed. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Parcel } from "#shop/fulfillment/ship.server.ts";
import type { SandboxKeys } from "./provider-of.ts";

/** A parcel with a number that no other one has. */
export const aParcel = (number: number, units?: Record<string, number>): Parcel => ({
  carrier: "ups",
  trackingNumber: `1Z999AA1${String(number).padStart(10, "0")}`,
  ...(units && { units }),
});

/** `from` is the number of the first parcel; the others follow. */
export type ToShip = {
  databaseUrl: string;
  sandbox: SandboxKeys;
  shop: { url: string };
  orderIds: string[];
  from: number;
  /** Inspected returns to refund. */
  returnIds?: string[];
};

export type StaffProcess = { ship(orders: ToShip): void; kill(): Promise<void> };

export function startStaff(): StaffProcess {
  const child: ChildProcess = spawn(process.execPath, ["tests/support/staff-process.ts"], {
    stdio: ["pipe", "ignore", "inherit"],
  });
  const ended = once(child, "exit");
  return {
    ship(orders) {
      child.stdin?.write(`${JSON.stringify(orders)}\n`);
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
