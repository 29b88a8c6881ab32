/** Forms of an open privacy request. */
import { DELETE_WORD } from "#shop/accounts/account-forms.ts";
import { LAW_DAYS, LAW_NAMES, PROOF_WORDS } from "#shop/privacy/request.ts";
import { Submit } from "#app/ui/form/form.tsx";
import { DownloadForm } from "#app/ui/admin/download-form.tsx";
import { AdminArea, AdminForm, AdminSelect, AdminText } from "#app/ui/admin/field.tsx";
import { When } from "#app/ui/admin/when.tsx";
import type { Route } from "./+types/request.ts";

type Loaded = Route.ComponentProps["loaderData"];
type Request = Loaded["request"];

export function ProofForm({ id, proof, needsOther }: Request & { needsOther: boolean }) {
  return (
    <AdminForm intent="prove" of={id} className="grid gap-2">
      <h2>Verify identity</h2>
      <p className="max-w-prose text-ink-soft">
        Anyone can enter someone else&apos;s email in a form. Email the address and wait for a reply.
        {needsOther && <span> You added this request, so another team member must verify it.</span>}
      </p>
      {!needsOther && (
        <div className="flex flex-wrap items-end gap-2">
          <AdminSelect
            name="proof"
            label="Verified by"
            defaultValue={proof ?? ""}
            className="w-64"
            options={[["", "Not verified yet"], ...Object.entries(PROOF_WORDS)]}
          />
          <Submit className={`btn ${proof ? "" : "btn-primary"}`}>Save</Submit>
        </div>
      )}
    </AdminForm>
  );
}

const FILE_PROBLEMS: Record<string, string> = {
  closed: "This request is already closed.",
  "other-kind": "This request does not ask for a copy.",
  "not-proven": "Verify identity first.",
};

export function FileForm({ id, why }: { id: string; why: string | null }) {
  return (
    <DownloadForm
      action={`/admin/legal/${id}/file?intent=export`}
      title="Data export"
      note="The same file that customers can download themselves. Send it only to their email, then close the request."
      label="Download file"
      why={why}
      problems={FILE_PROBLEMS}
    />
  );
}

type EraseProps = { id: string; why: string | null; before: NonNullable<Loaded["before"]> };

const effect = ({ unshipped, hasAccount }: EraseProps["before"]) =>
  [
    hasAccount ? "Deletes the account, cart, wishlist, waitlist signup and messages" : "Deletes the messages",
    "keeps orders for accounting without name, address, phone and email",
    unshipped > 0 ? `cancels the unshipped items of ${unshipped} ${unshipped === 1 ? "order" : "orders"}` : null,
  ]
    .filter(Boolean)
    .join("; ");

export function EraseForm({ id, why, before }: EraseProps) {
  return (
    <AdminForm intent="erase" of={id}>
      <h2>Delete customer data</h2>
      <p className="max-w-prose text-ink-soft">{`${effect(before)}. This cannot be undone.`}</p>
      {why === null && (
        <AdminText
          name="confirmation"
          label={`Type ${DELETE_WORD} to confirm`}
          autoComplete="off"
          autoCapitalize="none"
          className="w-64"
        />
      )}
      <Submit disabled={why !== null} className="btn btn-danger">
        Delete permanently
      </Submit>
      {why && <p className="text-ink-soft">{why}</p>}
    </AdminForm>
  );
}

export function CloseForm({ id, kind, needsErasure }: Request & { needsErasure: boolean }) {
  return (
    <AdminForm intent="close" of={id}>
      <h2>Close request</h2>
      <AdminSelect
        name="outcome"
        label="Outcome"
        className="w-64"
        hint={needsErasure ? "Deleting the customer data above completes it." : undefined}
        options={[needsErasure ? ["", "Choose an outcome"] : ["done", "Completed"], ["refused", "Refused"]]}
      />
      <AdminArea
        name="answer"
        label="Answer"
        hint={`Sent to the customer by email.${kind === "data" ? " Not needed with the file." : ""}`}
        rows={2}
        className="w-full max-w-prose"
      />
      <Submit className="btn">Close</Submit>
    </AdminForm>
  );
}

export function ExtendForm({ id, law, extendedAt }: Request) {
  if (extendedAt) {
    return (
      <section className="grid gap-2">
        <h2>Extend deadline</h2>
        <p className="text-ink-soft">
          Extended <When at={extendedAt} />. The law allows one extension.
        </p>
      </section>
    );
  }
  return (
    <AdminForm intent="extend" of={id}>
      <h2>Extend deadline</h2>
      <AdminArea
        name="reason"
        label="Reason"
        hint={`Sent to the customer by email. The ${LAW_NAMES[law]} allows ${LAW_DAYS[law].extension} more days, once.`}
        rows={2}
        className="w-full max-w-prose"
      />
      <Submit className="btn">Extend and notify</Submit>
    </AdminForm>
  );
}

export function NoteForm({ id }: Request) {
  return (
    <AdminForm intent="note" of={id}>
      <h2>Add note</h2>
      <AdminArea name="note" label="Note" rows={2} className="w-full max-w-prose" />
      <Submit className="btn">Add note</Submit>
    </AdminForm>
  );
}
