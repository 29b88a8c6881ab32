import { DELAY_REASONS } from "#shop/orders/reasons.ts";
import { AdminCheckbox, AdminSelect, AdminText } from "#app/ui/admin/field.tsx";

/** The new day of a delay, and its reason. */
export function DelayFields() {
  return (
    <>
      <AdminText name="until" type="date" label="New ship date" />
      <AdminCheckbox name="unknown" label="The day is not known yet" />
      <AdminSelect
        name="reason"
        label="Reason for the delay, shown to the customer"
        className="w-full max-w-sm"
        options={Object.entries(DELAY_REASONS)}
      />
    </>
  );
}
