/** What carries a request out: the file, or the deletion. */
import { ActForm } from "../../../ui/admin/act-form.tsx";
import { AdminText, CodeField } from "../../../ui/admin/field.tsx";

type CarryOut = { path: string; may: boolean; isProven: boolean; isFresh: boolean };

/** A button that is off says why. */
const whyOff = ({ may, isProven }: CarryOut): string | null => {
  if (!may) return "An owner does this.";
  return isProven ? null : "First say how you know that it is they who ask.";
};

const PROBLEMS: Record<string, string> = {
  code: "The code is missing, not right, or was used already. Codes change every 30 seconds.",
  closed: "This request was answered before.",
  "not-proven": "First say how you know that it is they who ask.",
};

export function FileForm({ problem, ...form }: CarryOut & { problem: string | null }) {
  const off = whyOff(form);
  return (
    <form
      id="file"
      method="post"
      action={`${form.path}/file?act=export`}
      noValidate
      className="grid justify-items-start gap-2"
    >
      <h2>Their data</h2>
      <p className="max-w-prose text-ink-soft">
        The file that customers download themselves. Send it to their address and to no other, then close the request.
      </p>
      {!off && <CodeField isFresh={form.isFresh} />}
      <button type="submit" disabled={off !== null} className={`act ${off ? "" : "act-next"}`}>
        Download the file
      </button>
      {off && <p className="text-ink-soft">{off}</p>}
      {problem && (
        <p role="alert" className="font-medium text-error">
          {PROBLEMS[problem] ?? "The file could not be made."}
        </p>
      )}
    </form>
  );
}

type Before = { unshipped: number; hasAccount: boolean };

const effect = ({ unshipped, hasAccount }: Before) =>
  [
    hasAccount ? "Their account, cart, wishlist, place on the waitlist and messages go" : "Their messages go",
    "orders stay in the books without name, address, phone and email",
    unshipped > 0
      ? unshipped === 1
        ? "one order that has not shipped is canceled"
        : `${unshipped} orders that have not shipped are canceled`
      : null,
  ]
    .filter(Boolean)
    .join("; ");

export function EraseForm({ before, word, ...form }: CarryOut & { before: Before; word: string }) {
  const off = whyOff(form);
  return (
    <ActForm act="erase" path={form.path} className="grid justify-items-start gap-2">
      <h2>Erase them</h2>
      <p className="max-w-prose text-ink-soft">{effect(before)}. There is no way back.</p>
      {!off && (
        <>
          <AdminText
            name="confirmation"
            label={`Type ${word} to confirm`}
            autoComplete="off"
            autoCapitalize="none"
            className="w-64"
          />
          <CodeField isFresh={form.isFresh} />
        </>
      )}
      <button type="submit" disabled={off !== null} className="act act-danger">
        Erase for good
      </button>
      {off && <p className="text-ink-soft">{off}</p>}
    </ActForm>
  );
}
