/** Why Google's answer did not sign anybody in, by the code that comes back with it. */
const MESSAGES: Record<string, string> = {
  access_denied: "Google sign-in was canceled.",
  account_not_linked:
    "This email already has an account here. Sign in with your password; where it is not verified yet, open the link in your inbox first.",
  unable_to_link_account:
    "The account with this email is opened by another Google account. Sign in with that one, or with your password.",
};

export function googleError(code: string | null): string | null {
  if (!code) return null;
  return Object.hasOwn(MESSAGES, code)
    ? (MESSAGES[code] ?? null)
    : "Google could not sign you in. Please try again, or use your email and a password.";
}
