import { US_STATES } from "#shop/us-states.ts";
import { AdminSelect, AdminText } from "#app/ui/admin/field.tsx";
import type { OrderData } from "./load.server.ts";

/** The fields of a delivery address. */
export function AddressFields({ address }: { address: Partial<OrderData["address"]> }) {
  const text = (name: keyof typeof address, label: string, className = "") => (
    <AdminText name={name} label={label} defaultValue={address[name] ?? ""} autoComplete="off" className={className} />
  );
  return (
    <div className="grid w-full max-w-xl grid-cols-2 gap-3">
      {text("shippingFirstName", "First name")}
      {text("shippingLastName", "Last name")}
      {text("shippingAddressLine1", "Address", "col-span-2")}
      {text("shippingAddressLine2", "Apartment, suite, etc.", "col-span-2")}
      {text("shippingCity", "City", "col-span-2")}
      <AdminSelect
        name="shippingState"
        label="State"
        defaultValue={address.shippingState}
        options={[...(address.shippingState ? [] : [["", "Choose"] as const]), ...Object.entries(US_STATES)]}
      />
      {text("shippingPostalCode", "ZIP code")}
    </div>
  );
}
