/** The sheet every letter is written on. Tables and inline styles, because mail programs know little else. */
import { brand } from "../brand.ts";

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text made safe to stand in HTML. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => escapes[char] ?? char);

/** The wordmark as a picture; where pictures are off, its alternative text is set as the name in type. */
function letterhead(): string {
  const source = `${process.env.BASE_URL ?? ""}/images/mail-wordmark.png`;
  return `<img src="${escapeHtml(source)}" width="120" height="28" alt="${brand.name}" style="display:block;border:0;font-size:22px;line-height:28px;font-weight:700;letter-spacing:-0.02em;color:#4f5f3f">`;
}

/** A whole HTML letter around `body`, which is HTML already. */
export function letterHtml({ title, preview, body }: { title: string; preview: string; body: string }): string {
  return `<!doctype html>
<html lang="en-US">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${escapeHtml(title)}</title>
</head>
<body style="margin:0;padding:0;background:#f6f4ef;color:#16191c;font-family:'Helvetica Neue',Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f6f4ef">
<tr><td align="center" style="padding:40px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px">
<tr><td style="padding:0 8px 24px">${letterhead()}</td></tr>
<tr><td style="background:#ffffff;border-radius:14px;padding:40px 32px">${body}</td></tr>
<tr><td style="padding:24px 8px;font-size:13px;color:#565c61">${brand.name}. ${brand.tagline}<br>Questions? Reply to this mail or write to <a href="mailto:${brand.supportEmail}" style="color:#4f5f3f">${brand.supportEmail}</a>, Mon-Fri 9 AM-6 PM EST.</td></tr>
</table>
</td></tr>
</table>
</body>
</html>`;
}

/** The one button of a letter. */
export function letterButton(href: string, label: string): string {
  return `<p style="margin:32px 0 0"><a href="${escapeHtml(href)}" style="display:inline-block;padding:14px 28px;border-radius:999px;background:#4f5f3f;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>`;
}
