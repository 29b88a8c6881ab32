/** The layout of every email, and the pieces they are made of. Styles are inline, because mail programs know little else. */
import { Fragment, type ReactElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { Body, Button, Container, Head, Heading, Html, Img, Link, Section, Text } from "react-email";
import { brand } from "../brand.ts";
import { policy } from "../policies.ts";
import type { EmailShop } from "./email.ts";

const INK = "#16191c";
export const SOFT_INK = "#565c61";
const GREEN = "#4f5f3f";
const PAPER = "#f6f4ef";

const font = {
  fontFamily: "'Helvetica Neue',Helvetica,Arial,sans-serif",
  fontSize: "16px",
  lineHeight: "1.5",
  color: INK,
};

type LayoutProps = {
  subject: string;
  /** What a mail program shows beside the subject; its first 200 characters. */
  preview: string;
  shop: EmailShop;
  children: ReactNode;
};

/** A whole email: the wordmark, `children` on a white sheet, and where to ask. */
export function EmailLayout({ subject, preview, shop, children }: LayoutProps): ReactElement {
  return (
    <Html lang="en-US">
      <Head>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light" />
        <title>{subject}</title>
      </Head>
      <Body lang="en-US" style={{ ...font, margin: "0", padding: "40px 16px", backgroundColor: PAPER }}>
        {/* The library's own pads it with signs that are not to be seen, which no text of the shop may hold. */}
        <div style={{ display: "none", maxHeight: 0, overflow: "hidden" }}>{preview}</div>
        <Container style={{ maxWidth: "560px" }}>
          <Section style={{ padding: "0 8px 24px" }}>
            <Wordmark baseUrl={shop.baseUrl} />
          </Section>
          <Section style={{ padding: "40px 32px", backgroundColor: "#ffffff", borderRadius: "14px" }}>
            {children}
          </Section>
          <Section style={{ padding: "24px 8px", fontSize: "13px", color: SOFT_INK }}>
            {brand.name}. {brand.tagline}
            <br />
            Questions? Reply to this mail or write to{" "}
            <EmailLink href={`mailto:${shop.supportEmail}`}>{shop.supportEmail}</EmailLink>, {policy.supportHours}.
          </Section>
        </Container>
      </Body>
    </Html>
  );
}

/** The shop's name as a picture. Where pictures are off, its alternative text is styled to look like it. */
function Wordmark({ baseUrl }: { baseUrl: string }) {
  const type = { fontSize: "22px", lineHeight: "28px", fontWeight: 700, letterSpacing: "-0.02em", color: GREEN };
  return (
    // Otherwise React would add a preload link to the head.
    <Img
      src={`${baseUrl}/images/mail-wordmark.png`}
      width="120"
      height="28"
      alt={brand.name}
      fetchPriority="low"
      style={type}
    />
  );
}

export const EmailHeading = ({ children }: { children: ReactNode }) => (
  <Heading style={{ margin: "0 0 12px", fontSize: "26px", lineHeight: "1.15", letterSpacing: "-0.02em" }}>
    {children}
  </Heading>
);

type TextProps = {
  /** `soft` for text that matters less, `small` for the note at the end of an email. */
  look?: "soft" | "small";
  /** Space above, in pixels. */
  above?: number;
  children: ReactNode;
};

export function EmailText({ look, above = look === "small" ? 32 : 0, children }: TextProps) {
  const style = {
    fontSize: look === "small" ? "14px" : "16px",
    lineHeight: "1.5",
    marginTop: `${above}px`,
    marginBottom: "0",
    ...(look && { color: SOFT_INK }),
  };
  return <Text style={style}>{children}</Text>;
}

/** Lines of text, each below the other. */
export const EmailLines = ({ lines }: { lines: string[] }) =>
  lines.map((line, i) => (
    // oxlint-disable-next-line react/no-array-index-key -- rendered once
    <Fragment key={i}>
      {i > 0 && <br />}
      {line}
    </Fragment>
  ));

export const EmailLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <Link href={href} style={{ color: GREEN, textDecorationLine: "underline" }}>
    {children}
  </Link>
);

type ButtonProps = { href: string; /** A second one, for the other answer. */ isOther?: boolean; children: ReactNode };

/** The one button of an email, or the two of a question. */
export const EmailButton = ({ href, isOther = false, children }: ButtonProps) => (
  <Section style={{ paddingTop: isOther ? "12px" : "32px" }}>
    <Button
      href={href}
      style={{
        padding: isOther ? "14.4px 26px" : "16.4px 28px",
        borderRadius: "999px",
        backgroundColor: isOther ? "#ffffff" : GREEN,
        color: isOther ? GREEN : "#ffffff",
        fontWeight: 600,
        ...(isOther && { border: `2px solid ${GREEN}` }),
      }}
    >
      {children}
    </Button>
  </Section>
);

/** The HTML of an email, from its EmailLayout element. */
export const emailHtml = (email: ReactElement<LayoutProps>): string => `<!doctype html>${renderToStaticMarkup(email)}`;
