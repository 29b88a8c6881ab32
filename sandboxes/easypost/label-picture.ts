/** The picture of a label, 4 by 6 inches. */
import type { SandboxAddress } from "./parcels.ts";

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

const barsOf = (code: string) =>
  Array.from(code, (letter, i) => {
    const width = 2 + (letter.charCodeAt(0) % 7);
    return `<rect x="${30 + i * (340 / code.length)}" y="360" width="${width}" height="120"/>`;
  }).join("");

export function labelPicture(to: SandboxAddress, code: string): string {
  const lines = [to.name, to.street1, to.street2, `${to.city}, ${to.state} ${to.zip}`].filter(Boolean);
  const address = lines.map((line, i) => `<text x="30" y="${170 + i * 34}" font-size="24">${escaped(line)}</text>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="1200" viewBox="0 0 400 600" font-family="sans-serif">
    <rect width="400" height="600" fill="#fff"/><rect x="8" y="8" width="384" height="584" fill="none" stroke="#000" stroke-width="3"/>
    <text x="30" y="60" font-size="26" font-weight="bold">NOT A REAL LABEL</text>
    <text x="30" y="130" font-size="16">Ship to</text>${address.join("")}${barsOf(code)}
    <text x="30" y="520" font-size="18">${escaped(code)}</text>
  </svg>`;
}
