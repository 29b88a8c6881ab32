/** Layout and components of emails. Styles are inline, because email clients support little else. */
import { Fragment, type ReactElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { Body, Button, Container, Head, Heading, Html, Img, Link, Section, Text } from "react-email";
import { brand } from "#shop/brand.ts";
import { supportEmail } from "#shop/contact-addresses.server.ts";
import { settings } from "#shop/settings/settings.server.ts";
import type { Database } from "#db/connection.server.ts";
import { type Email, emailTemplate, type EmailShop, type EmailTemplate } from "./email.ts";

const INK = "#16191c";
export const SOFT_INK = "#565c61";
export const GREEN = "#4f5f3f";
const PAPER = "#f6f4ef";

const font = {
  fontFamily: "'Helvetica Neue',Helvetica,Arial,sans-serif",
  fontSize: "16px",
  lineHeight: "1.5",
  color: INK,
};

type LayoutProps = {
  subject: string;
  /** Preview text of the inbox; its first 200 characters. */
  preview: string;
  shop: EmailShop;
  children: ReactNode;
};

export function EmailLayout({ subject, preview, shop, children }: LayoutProps): ReactElement {
  return (
    <Html lang="en-US">
      <Head>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light" />
        <title>{subject}</title>
      </Head>
      <Body lang="en-US" style={{ ...font, margin: "0", padding: "40px 16px", backgroundColor: PAPER }}>
        {/* The library's Preview component pads it with invisible characters, which the shop's texts may not contain. */}
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
            Questions? Reply to this email or write to{" "}
            <EmailLink href={`mailto:${supportEmail()}`}>{supportEmail()}</EmailLink>, {settings().contact.supportHours}
            .
            <br />
            {settings().contact.postalAddress.join(", ")}
          </Section>
        </Container>
      </Body>
    </Html>
  );
}

/** The wordmark image. Its alternative text is styled alike, for clients without images. */
function Wordmark({ baseUrl }: { baseUrl: string }) {
  const type = { fontSize: "22px", lineHeight: "28px", fontWeight: 700, letterSpacing: "-0.02em", color: GREEN };
  return (
    // React would otherwise add a preload link to the head.
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
  /** `soft` for secondary text, `small` for the closing note. */
  look?: "soft" | "small";
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

type ButtonProps = { href: string; isOther?: boolean; children: ReactNode };

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

export const emailHtml = (email: ReactElement<LayoutProps>): string => `<!doctype html>${renderToStaticMarkup(email)}`;

type LinkEmail = { subject: string; intro: string; button: string; link: string; close: string };

export function linkEmail(to: string, { subject, intro, button, link, close }: LinkEmail, shop: EmailShop): Email {
  return {
    to,
    subject: `${subject} | ${brand.name}`,
    text: [intro, "", `${button}: ${link}`, "", close].join("\n"),
    html: emailHtml(
      <EmailLayout subject={subject} preview={intro} shop={shop}>
        <EmailHeading>{subject}</EmailHeading>
        <EmailText look="soft">
          <EmailLines lines={intro.split("\n")} />
        </EmailText>
        <EmailButton href={link}>{button}</EmailButton>
        <EmailText look="small">{close}</EmailText>
      </EmailLayout>,
    ),
  };
}

/** A template of an email with one text and one button. */
export const linkTemplate = <Job, Data extends { to: string }>({
  load,
  samples,
  words,
}: {
  load(db: Database, job: Job, shop: EmailShop): Promise<Data | null>;
  samples: Record<string, Data>;
  words(data: Data, shop: EmailShop): LinkEmail;
}): EmailTemplate<Job> =>
  emailTemplate({ load, samples, render: (data: Data, shop) => linkEmail(data.to, words(data, shop), shop) });
