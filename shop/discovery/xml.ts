/** XML, written by hand: names are ours, texts are anybody's. */

/** An element around text or other elements; what is null is left out. */
export function element(name: string, content: string | readonly (string | null)[]): string {
  if (typeof content === "string") return `<${name}>${escapeXml(content)}</${name}>`;
  return `<${name}>\n${content.filter((part) => part !== null).join("\n")}\n</${name}>`;
}

function escapeXml(text: string): string {
  return (
    text
      // oxlint-disable-next-line no-control-regex -- XML 1.0 knows no other control characters.
      .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, "")
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
  );
}
