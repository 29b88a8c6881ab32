/** Only programs fill it in. */
export const HONEYPOT_FIELD = "leave-empty";

export const Honeypot = () => (
  <div className="hidden" aria-hidden="true">
    <label>
      Leave this empty
      <input name={HONEYPOT_FIELD} tabIndex={-1} autoComplete="off" defaultValue="" />
    </label>
  </div>
);
