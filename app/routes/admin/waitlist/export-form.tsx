/** Asks for the list as a file: a plain form, because a script could not save what comes back. */
import { useSearchParams } from "react-router";
import { CodeField } from "../../../ui/admin/field.tsx";

export function Export({ isFresh }: { isFresh: boolean }) {
  const [query] = useSearchParams();
  return (
    <form
      id="export"
      method="post"
      noValidate
      action="/admin/waitlist/export?act=export"
      className="mt-8 grid justify-items-start gap-3"
    >
      <h2>Take it along</h2>
      <p className="text-ink-soft">
        A CSV file of all that the filter above shows, also on other pages. It is written down who took it.
      </p>
      {["state", "source", "campaign"].map((name) => (
        <input key={name} type="hidden" name={name} value={query.get(name) ?? ""} />
      ))}
      <CodeField isFresh={isFresh} />
      {query.get("export") === "code" && (
        <p role="alert" className="font-medium text-error">
          The code was missing or is not right. Type the one that your app shows now.
        </p>
      )}
      <button type="submit" className="act">
        Save as CSV
      </button>
    </form>
  );
}
