/** An authenticator app: what it shows for the secret that it was given. */
import { base32 } from "@better-auth/utils/base32";
import { createOTP } from "@better-auth/utils/otp";

const STEP_MS = 30_000;

export class Authenticator {
  #secret: string;

  /** `uri` is what the page's QR code says. */
  constructor(uri: string) {
    this.#secret = new TextDecoder().decode(base32.decode(new URL(uri).searchParams.get("secret") ?? ""));
  }

  /** The code of now, or of a later step: the one after it is accepted already, for clocks that run ahead. */
  code(later = 0): Promise<string> {
    return createOTP(this.#secret).hotp(Math.floor(Date.now() / STEP_MS) + later);
  }
}

/** The text of the QR code in a page of Settings. */
export const uriIn = (html: string) =>
  (/name="uri"[^>]*value="([^"]+)"/.exec(html)?.[1] ?? "").replaceAll("&amp;", "&");
