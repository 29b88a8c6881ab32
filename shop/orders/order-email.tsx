/** Layout that the emails about an order share. */
import { Column, Heading, Img, Row } from "react-email";
import {
  EmailButton,
  EmailHeading,
  emailHtml,
  EmailLayout,
  EmailLines,
  EmailLink,
  EmailText,
  SOFT_INK,
} from "#shop/mail/email-layout.tsx";
import type { Email, EmailShop } from "#shop/mail/email.ts";
import { formatMoney } from "#shop/money.ts";
import { type Amounts, discountLabel } from "#shop/cart/totals.ts";
import type { OrderItem } from "./orders.server.ts";

const CELL = { padding: "12px 0", borderBottom: "1px solid #e2e0da", verticalAlign: "top" } as const;

type Sum = [label: string, amount: string];
type MailedLink = {
  label: string;
  href: string;
  /** Another answer to the question of the first button. */
  isButton?: boolean;
};

export type OrderEmail = {
  to: string;
  subject: string;
  heading: string;
  /** Paragraphs; mail programs preview the first one. */
  words: string[];
  items?: readonly OrderItem[];
  amounts?: Amounts;
  destination?: { heading: string; lines: string[] };
  /** The first link is the button. */
  links: [MailedLink, ...MailedLink[]];
  notes?: string[];
  placeholders?: Record<string, string>;
};

/** Names that the staff's words about an order may use. A guest's email may be anybody's, so it names nobody. */
export const orderPlaceholders = (order: { isOwnEmail: boolean; shippingFirstName: string }, orderNumber: string) => ({
  firstName: (order.isOwnEmail && order.shippingFirstName.trim()) || "there",
  orderNumber,
});

export function orderEmail(email: OrderEmail, shop: EmailShop): Email {
  const { to, subject, heading, words, items = [], amounts, destination, links, notes = [], placeholders } = email;
  const [button, ...others] = links;
  const sums = amounts ? sumsOf(amounts) : [];
  const text = [
    heading,
    ...words,
    [...itemsText(items), ...sums.map(([label, amount]) => `${label}: ${amount}`)].join("\n"),
    destination ? [destination.heading, ...destination.lines].join("\n") : "",
    ...links.map(({ label, href }) => `${label}: ${href}`),
    ...notes,
  ].filter((part) => part !== "");
  const html = emailHtml(
    <EmailLayout subject={subject} preview={words[0] ?? subject} shop={shop}>
      <EmailHeading>{heading}</EmailHeading>
      {words.map((paragraph, i) => (
        <EmailText key={paragraph} look="soft" above={i === 0 ? 0 : 12}>
          {paragraph}
        </EmailText>
      ))}
      {(items.length > 0 || sums.length > 0) && <OrderLines items={items} sums={sums} shop={shop} />}
      {destination && <Destination {...destination} />}
      <EmailButton href={button.href}>{button.label}</EmailButton>
      {others.map(({ label, href, isButton }) =>
        isButton ? (
          <EmailButton key={label} href={href} isOther>
            {label}
          </EmailButton>
        ) : (
          <EmailText key={label} above={24}>
            <EmailLink href={href}>{label}</EmailLink>
          </EmailText>
        ),
      )}
      {notes.map((note) => (
        <EmailText key={note} look="small" above={24}>
          {note}
        </EmailText>
      ))}
    </EmailLayout>,
  );
  return { to, subject, text: text.join("\n\n"), html, ...(placeholders && { placeholders }) };
}

const sumsOf = ({ subtotalCents, shippingCents, taxCents, totalCents, ...off }: Amounts): Sum[] => [
  ["Subtotal", formatMoney(subtotalCents)],
  ...(off.discountCents > 0 ? [[discountLabel(off), `−${formatMoney(off.discountCents)}`] satisfies Sum] : []),
  ["Shipping", shippingCents === 0 ? "FREE" : formatMoney(shippingCents)],
  ["Tax", formatMoney(taxCents)],
  ["Total", formatMoney(totalCents)],
];

const itemsText = (items: readonly OrderItem[]): string[] =>
  items.flatMap((item) => [
    `${item.quantity} x ${item.name}  ${formatMoney(item.priceCents * item.quantity)}`,
    ...(item.note ? [`    ${item.note}`] : []),
  ]);

const PICTURE = { width: "72", height: "72" };

function OrderLines({ items, sums, shop }: { items: readonly OrderItem[]; sums: Sum[]; shop: EmailShop }) {
  return (
    <div style={{ paddingTop: "24px" }}>
      {items.map((item) => (
        <Row key={item.name}>
          {item.thumbnail && (
            <Column width={PICTURE.width} style={{ ...CELL, paddingRight: "16px" }}>
              <Img
                {...PICTURE}
                src={`${shop.baseUrl}/images/${item.thumbnail}-mail.jpg`}
                alt=""
                fetchPriority="low"
                style={{ borderRadius: "8px" }}
              />
            </Column>
          )}
          <Column style={CELL}>
            {item.name}
            <br />
            <span style={{ color: SOFT_INK, fontSize: "14px" }}>
              {`Qty ${item.quantity}`}
              {item.quantity > 1 && `, ${formatMoney(item.priceCents)} each`}
              {item.note && <br />}
              {item.note}
            </span>
          </Column>
          <Column align="right" style={{ ...CELL, paddingLeft: "12px", whiteSpace: "nowrap" }}>
            {formatMoney(item.priceCents * item.quantity)}
          </Column>
        </Row>
      ))}
      {sums.map(([label, amount], i) => {
        const isLast = i === sums.length - 1;
        const style = isLast ? { padding: "12px 0 0", fontWeight: 700 } : { padding: "8px 0 0", color: SOFT_INK };
        return (
          <Row key={label}>
            <Column style={style}>{label}</Column>
            <Column align="right" style={style}>
              {amount}
            </Column>
          </Row>
        );
      })}
    </div>
  );
}

function Destination({ heading, lines }: { heading: string; lines: string[] }) {
  return (
    <>
      <Heading as="h2" style={{ margin: "32px 0 0", fontSize: "16px" }}>
        {heading}
      </Heading>
      {lines.length > 0 && (
        <EmailText look="soft" above={8}>
          <EmailLines lines={lines} />
        </EmailText>
      )}
    </>
  );
}
