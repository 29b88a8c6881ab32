/** The cards that the sandbox knows: Stripe's published ones, and one of its own that no capture succeeds with. */

type Decline = { code: string; declineCode: string | null; message: string };

export type TestCard = {
  number: string;
  brand: "visa" | "mastercard" | "amex";
  /** What it does, as the page lists it. */
  does: string;
  decline?: Decline;
  asksForProof?: true;
  refusesCapture?: true;
  isDisputed?: true;
  refunds?: "pending-first" | "fail-later";
};

const declined = (declineCode: string, message: string): Decline => ({ code: "card_declined", declineCode, message });

export const TEST_CARDS: TestCard[] = [
  { number: "4242424242424242", brand: "visa", does: "Pays" },
  { number: "5555555555554444", brand: "mastercard", does: "Pays, as a Mastercard" },
  { number: "378282246310005", brand: "amex", does: "Pays, as an American Express with a security code of 4 digits" },
  { number: "4000000000003220", brand: "visa", does: "Asks the bank first (3D Secure)", asksForProof: true },
  {
    number: "4000000000000002",
    brand: "visa",
    does: "Is declined",
    decline: declined("generic_decline", "Your card was declined."),
  },
  {
    number: "4000000000009995",
    brand: "visa",
    does: "Is declined: insufficient funds",
    decline: declined("insufficient_funds", "Your card has insufficient funds."),
  },
  {
    number: "4000000000000069",
    brand: "visa",
    does: "Is declined: expired",
    decline: { code: "expired_card", declineCode: null, message: "Your card has expired." },
  },
  {
    number: "4000000000000127",
    brand: "visa",
    does: "Is declined: wrong security code",
    decline: { code: "incorrect_cvc", declineCode: null, message: "Your card's security code is incorrect." },
  },
  { number: "4000000000000259", brand: "visa", does: "Pays, and is disputed once it is charged", isDisputed: true },
  { number: "4000000000007726", brand: "visa", does: "Pays; a refund is pending first", refunds: "pending-first" },
  { number: "4000000000005126", brand: "visa", does: "Pays; a refund fails later", refunds: "fail-later" },
  {
    number: "4000000000004400",
    brand: "visa",
    does: "Is authorized, then refuses to be charged",
    refusesCapture: true,
  },
];

export const cardByNumber = (number: string): TestCard | undefined => TEST_CARDS.find((card) => card.number === number);

/** What both wallets pay with. */
export const WALLET_CARD = "4242424242424242";

export const lastFour = (number: string): string => number.slice(-4);
