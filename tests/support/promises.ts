/** What the texts promise, section by section, in their order: see tests/promises.test.ts. */

/** Promises kept by the merchant: in place of a test stands the beginning of the duty in docs/operations.md. */
export const PEOPLE = "people";

/**
 * A sentence or a part of it as it stands in the source, who keeps it (a file and its export, or an address), and the
 * test.
 */
export type Kept = [sentence: string, by: string, test: string];

const ERASE = "shop/privacy/erase-account.server.ts deleteAccount";
const RETENTION = "shop/privacy/retention.server.ts applyRetention";
const MESSAGE = "shop/support/contact.server.ts sendMessage";
const ARRIVES = "support/contact.server › is stored and emailed to support and its sender";
const NO_FOREIGN_CODE = "http/pages › %s loads only from the shop, and allows its own scripts by hash";
const CANCEL = "shop/payments/cancel.server.ts cancelOrder";

/** Rows by section of a text. A word in their place says why it promises nothing. */
export const PROMISES: Record<string, Kept[] | string> = {
  "privacy#information-collected": [
    [
      "Each time you sign in, we record your IP address and your browser’s name with that sign-in.",
      "shop/accounts/account.tables.ts sessions",
      "abuse/accounts › stores a user agent without control characters, cut to a reasonable length",
    ],
    [
      "we store its secret in encrypted form and keep only a fingerprint of your backup codes",
      "shop/accounts/second-factor.server.ts renewBackupCodes",
      "abuse/accounts › backup codes are stored as hashes, have 140 bits, work once, and may be typed in any form",
    ],
    [
      "keep none of the access Google grants us",
      "shop/accounts/google.server.ts providerAccounts",
      "auth.server › stores no token of a Google account, at the first sign-in or a later one",
    ],
    [
      "you sign in with the link that we send you",
      "/auth/verify",
      "abuse/emailed-links › verifies and signs in by its button, once, and uses up every other link to the place",
    ],
    [
      "once your data is erased, that note keeps only a keyed fingerprint of your email address",
      "shop/privacy/requests.server.ts eraseRequested",
      "privacy/requests.server › erases %s, keeps a keyed hash of the request, and sends one email",
    ],
    [
      "without the place and the time at which they were taken",
      "shop/returns/encode-photo.server.ts encodePhoto",
      "returns/encode-photo.server › is turned upright and made smaller, without its place, time and device",
    ],
    [
      "It does not record your IP address or what you search for.",
      "platform/log.server.ts log",
      "abuse/logs › has a JSON line for each request, with an id and the path without its query",
    ],
    [
      "it is deleted after at most {policyWords().securityLogDays}",
      "deploy/systemd/journald@polara.conf",
      "security-log-retention › the journal of the shop's units deletes the security log when the privacy policy says",
    ],
    ["We do not use analytics or advertising trackers on this site", "server/app.ts app", NO_FOREIGN_CODE],
  ],
  "privacy#legal-bases": [
    [
      "We send waitlist and marketing messages only if you asked for them. You may withdraw consent at any time.",
      "/waitlist/unsubscribe",
      "waitlist/invitations.server › never go to anybody unsubscribed, also after the batch was queued",
    ],
  ],
  "privacy#use": [
    [
      "tell you when somebody signs in to your account in a new browser or changes how it is protected",
      "shop/accounts/account-emails.server.ts emailOwner",
      "abuse/accounts › for the first sign-in in a browser, after both factors",
    ],
    ["We do not use your information to make decisions about you by automated means alone", PEOPLE, "Decide"],
  ],
  "privacy#third-parties": [
    ["We do not sell your personal information", PEOPLE, "Sell"],
    ["under contracts that limit them to our instructions", PEOPLE, "Sign"],
    [
      "we learn the method, of a card its brand and last four digits, and whether the payment went through",
      "shop/payments/payment-method.ts cardName",
      "payments/payment-method › names a card by its brand and last digits, with its wallet, and another method by its name",
    ],
    [
      "Stripe keeps your card until it has shipped or the order has ended",
      "shop/payments/saved-cards.server.ts forgetCard",
      "fulfillment/charges.server › charges each parcel for its own lines, shipping with the first, and then forgets the card",
    ],
    [
      "Stripe calculates it from your state, your ZIP code, and what you buy",
      "shop/tax/quote.server.ts",
      "payments/tax › is that of the caller's own cart",
    ],
  ],
  "privacy#cookies": [
    [
      "These are our cookies. Scripts cannot read any of them.",
      "app/session/cookies.server.ts ownCookie",
      "http/content › lists the cookies that the shop sets, and their lifetimes",
    ],
    [
      "lets the checkout show the information you asked us to save, until you close the browser in which you ordered",
      "shop/checkout/saved-information.server.ts getSavedInformation",
      "abuse/cookies › fills in the saved address until the browser is closed, not for the next person who opens it",
    ],
    [
      "lets the page of your order show your name and address for {policyWords().orderInFull}",
      "/orders/:orderId",
      "http/order-page › opens to the guest who placed it, until the browser closes, in full for half an hour",
    ],
    [
      "shows the page of one order to anyone who opened the link in an email about it, on that page only",
      "shop/orders/order-link.server.ts opensOrder",
      "http/order-page › opens its page, with the key in a cookie for that page only",
    ],
    [
      "Your browser also keeps a few things that it does not send to us",
      "app/ui/chrome/visitor-state.tsx",
      "e2e/account › a browser stores settings, scroll positions and random ids, and nothing personal",
    ],
    [
      "as totals, without a cookie for it and without keeping anything about a single visit",
      "server/count-events.ts countViews",
      "http/admin-waitlist › counts visits and product views, also of cached pages, without bots and prefetches",
    ],
  ],
  "privacy#retention": [
    [
      "until you delete your account, or after {policyWords().accountInactiveYears} without activity",
      RETENTION,
      "retention.server › deletes an account after its years without activity, not a day before",
    ],
    [
      "**Transaction records:** {policyWords().transactionYears}",
      RETENTION,
      "retention.server › removes the person from an order after its years",
    ],
    [
      "until you unsubscribe, or after {policyWords().marketingInactiveYears} without activity",
      RETENTION,
      "retention.server › deletes messages, guest carts, waitlist places and used links in time",
    ],
    [
      "If you unsubscribe, we keep your email address, so that we do not write to it again.",
      "shop/waitlist/waitlist.server.ts unsubscribe",
      "http/admin-waitlist › a signup is unsubscribed by the page's button and by a mail program's one-click request",
    ],
    [
      "**Customer service messages:** {policyWords().supportYears}",
      RETENTION,
      "retention.server › deletes messages, guest carts, waitlist places and used links in time",
    ],
    [
      "**The record of a notice that we sent you:** {policyWords().supportYears}",
      RETENTION,
      "personal-data.server › a deleted account leaves exactly what each table declares",
    ],
    [
      "as long as you have an account or an order with us, and at least {policyWords().transactionYears}",
      RETENTION,
      "personal-data.server › a deleted account leaves exactly what each table declares",
    ],
    [
      "**Security log:** {policyWords().securityLogDays}",
      "deploy/systemd/journald@polara.conf",
      "security-log-retention › the journal of the shop's units deletes the security log when the privacy policy says",
    ],
    [
      "When you delete your account, its orders lose your name, street address, ZIP code, phone number, and email at once",
      ERASE,
      "own-data.server › keeps orders without the person: amounts, items and place, no name, address, phone or email",
    ],
  ],
  "privacy#rights": [
    [
      "tell you what we hold about you, and give you a copy you can take elsewhere",
      "shop/privacy/export.server.ts exportCustomer",
      "personal-data.server › the export has each text that is not withheld, and none that is",
    ],
    [
      "correct what is wrong",
      "shop/privacy/requests.server.ts closeRequest",
      "privacy/requests.server › that is not carried out here is closed with its answer, which is emailed",
    ],
    ["delete what we no longer need to keep", ERASE, "own-data.server › deletes all personal data, and nobody else's"],
    [
      "limit or stop certain uses, including all direct marketing",
      "/admin/privacy/:requestId",
      "http/admin-messages › are closed with an answer, which only a copy does not need",
    ],
    [
      "withdraw consent you gave before",
      "shop/waitlist/waitlist.server.ts leaveWaitlist",
      "http/account › shows since when, and can be left",
    ],
    ["the right not to be treated differently for using these rights", PEOPLE, "Treat"],
    [
      "you can correct your details and your email address",
      "shop/privacy/change-email.server.ts changeEmail",
      "http/account › changes with the password and the link to the new address, in a browser that is signed in",
    ],
    [
      "download everything we hold about you",
      "/account/download",
      "http/account › is a file that requires the password",
    ],
    [
      "ask us to correct something else or to stop a use",
      "shop/privacy/requests.server.ts registerRequest",
      "http/account › is registered once of each kind with its deadline, proven by the session",
    ],
    [
      "and delete the account yourself",
      ERASE,
      "http/account › is deleted with the account: signed out, with a message and an email",
    ],
    [
      "We will verify that it comes from you",
      "shop/privacy/requests.server.ts proveRequest",
      "privacy/requests.server › requires a proof of identity, and happens once",
    ],
    [
      "We answer within {policyWords().gdprResponseDays} under the GDPR and within {policyWords().ccpaResponseDays}",
      "shop/privacy/request.ts dueAt",
      "privacy/requests.server › has the privacy policy's number of days from its receipt",
    ],
    [
      "If we need the extra time that the law allows, we will tell you why.",
      "shop/privacy/requests.server.ts extendRequest",
      "privacy/requests.server › is extended once, with an email about the reason",
    ],
  ],
  "privacy#international-transfers": [["You may [ask us](/support) for a copy of them.", PEOPLE, "Keep a copy"]],
  "privacy#security": [
    [
      "We encrypt traffic between your browser and our site",
      "server/app.ts app",
      "abuse/requests › redirects a page to HTTPS",
    ],
    [
      "store passwords only in protected form",
      "shop/accounts/passwords/password-hash.server.ts hashPassword",
      "auth.server › stores a salted hash of a password",
    ],
    [
      "keep session identifiers out of reach of scripts",
      "app/session/cookies.server.ts ownCookie",
      "abuse/cookies › a session token appears in no answer but its cookie",
    ],
    [
      "Administrative access is role-based",
      "shop/staff/permissions.ts may",
      "http/admin-permissions › $name is for its roles; a refusal changes nothing and is audited",
    ],
    [
      "after a password and a code",
      "shop/staff/sign-in.server.ts signInStaff",
      "staff.server › requires email, password and code together, and accepts the code once",
    ],
    [
      "each customer’s page that they open and everything that they change or export is recorded",
      "shop/audit/audit.server.ts writeAudit",
      "privacy/requests.server › has orders, returns, messages, cart, wishlist and waitlist, and no secret, and its views are audited once",
    ],
    [
      "we will notify you and the authorities as the law requires, within {policyWords().breachNoticeHours}",
      "scripts/notice.ts",
      "privacy/notices.server › a notice is queued for each address once, however often it is added and sent",
    ],
  ],
  "privacy#children": [
    [
      "[tell us](/support) and we will delete it",
      "shop/privacy/requests.server.ts eraseRequested",
      "privacy/requests.server › erases %s, keeps a keyed hash of the request, and sends one email",
    ],
  ],
  "privacy#dnt": [["We do not track you across other sites", "server/app.ts app", NO_FOREIGN_CODE]],
  "privacy#changes": [
    [
      "The date at the top shows the latest version.",
      "/privacy",
      "http/content › %s has %i anchored sections, each in its table of contents, and its dates",
    ],
    [
      "we will say so by email or by a clear notice on this site before it takes effect",
      "shop/privacy/notices.server.ts announceToEveryone",
      "http/texts › a version of a legal text is announced by email to everyone once, after a preview",
    ],
    [
      "We do not apply material changes to information collected earlier without your consent",
      PEOPLE,
      "Ask for consent",
    ],
  ],
  "privacy#contact": [
    ["use [our support page](/support)", MESSAGE, ARRIVES],
    ["We are available {policyWords().supportHours}.", PEOPLE, "Answer"],
  ],

  "terms#acceptance": [
    [
      "An order is governed by the terms in force when you placed it.",
      "shop/checkout/place-order.server.ts placeOrder",
      "payments/terms › an order placed under a second version links to it, and one before it to the first with the numbers of its time",
    ],
  ],
  "terms#definitions": "It says what words mean.",
  "terms#account": [
    [
      "you must verify your email address before you place an order",
      "shop/checkout/place-order.server.ts mustVerifyEmail",
      "http/account › is closed to unverified customers, page and action",
    ],
    [
      "You may close your account at any time",
      ERASE,
      "http/account › is deleted with the account: signed out, with a message and an email",
    ],
    [
      "We may suspend an account that breaks these terms or puts others at risk.",
      "shop/staff/suspension.server.ts changeSuspension",
      "http/accounts › is told why and how to object, keeps its orders, and is opened again by staff",
    ],
  ],
  "terms#products": "It describes the Products; what they do is promised by the warranty.",
  "terms#orders": [
    [
      "The confirmation that we send you says that it arrived. It is not our acceptance. We accept your Order when we ship it.",
      "shop/fulfillment/ship.server.ts shipOrder",
      "fulfillment.server › captures the payment, ships, accepts and emails",
    ],
    [
      "We may decline an Order, for example because a Product is out of stock, a price was plainly wrong, or we suspect fraud.",
      "shop/fulfillment/fulfill.server.ts declineByStaff",
      "fulfillment.server › of a declined order give the reason '%s' alone",
    ],
    [
      "If we decline, you pay nothing, and anything already paid is refunded.",
      "shop/payments/cancel.server.ts declineOrder",
      "fulfillment.server › %s: stock returns, the payment is voided, and one email is sent",
    ],
    [
      "Each line in your cart holds at most {policyWords().maxLineQuantity} units, or fewer when our stock is lower.",
      "shop/catalog/stock.ts maxQuantity",
      "e2e/cart › a line is limited to ten or the stock",
    ],
    [
      "If the price or stock changes before you place your Order, we show you and ask again.",
      "shop/checkout/expected-lines.ts lineProblems",
      "checkout/place-order.server › names each short line and the remedy, and changes nothing",
    ],
    [
      "We do not change your Order silently.",
      "shop/fulfillment/cancel-items.server.ts cancelItems",
      "fulfillment.server › is canceled: stock returns, what was charged for it is refunded, one email says so",
    ],
    [
      "You can cancel free of charge at any time before your Order ships.",
      CANCEL,
      "payments/paying › cancels it free of charge, with one email",
    ],
  ],
  "terms#pricing": [
    [
      "Both are shown as separate lines before you place your Order. Where we must collect sales tax, it is added there.",
      "shop/cart/totals.ts cartTotals",
      "payments/tax › the first submission shows tax and total, and the second places the order",
    ],
    [
      "Early-bird prices end at the time shown with them. After that the regular price applies.",
      "shop/catalog/product.sql.ts currentPrice",
      "checkout/place-order.server › sells at the early-bird price only while it runs",
    ],
    [
      "The price of an Order is the one shown in the summary when you place it.",
      "shop/checkout/expected-lines.ts lineProblems",
      "http/writes › a price sent by the browser is ignored",
    ],
    [
      "We charge it when your Order ships, and never more than that.",
      "shop/orders/actions/ship.ts ship",
      "fulfillment.server › the first of several parcels captures all, and no unit ships twice",
    ],
    [
      "An Order that is not paid within ${policyWords().reservationMinutes} expires, and you owe nothing.",
      "shop/payments/payments.server.ts expireOrder",
      "payments/paying › returns the units to stock and the lines to the cart, and can no longer be paid",
    ],
    [
      "If an Order is canceled or declined before it ships, the authorization is released.",
      CANCEL,
      "fulfillment.server › %s: stock returns, the payment is voided, and one email is sent",
    ],
    [
      "at present you place your Order without being charged, and we will contact you about payment before we ship",
      "shop/fulfillment/record-payment.server.ts recordPayment",
      "http/admin-orders › an order placed without payment is on Today, and ships once staff record how it was paid",
    ],
    [
      "${policyWords().chargeNoticeDays} before the announced day we email you the amount and the card",
      "shop/fulfillment/charges.server.ts announceCharges",
      "fulfillment/charges.server › once, some days before the promised day, all that will be charged, and anew for another day",
    ],
    [
      "If your bank refuses a charge, we keep the items for ${policyWords().refusedChargeDays} while you can pay in another way, and then cancel what has not shipped.",
      "shop/fulfillment/charges.server.ts cancelRefused",
      "fulfillment/charges.server › is reminded of once after four days, and canceled after the seventh day",
    ],
    [
      "Your saved card is deleted once everything has shipped or the Order has ended.",
      "shop/payments/saved-cards.server.ts forgetCard",
      "fulfillment/charges.server › is %s: nothing to void, the card is forgotten, stock returns",
    ],
  ],
  "terms#shipping": [
    [
      "Checkout accepts shipping addresses in the 50 US states.",
      "shop/checkout/checkout-form.ts checkoutSchema",
      "checkout/checkout-form › accepts the 50 states",
    ],
    [
      "is free for Orders with a subtotal of {policyWords().freeShippingFrom} or more",
      "shop/shipping/methods.ts shippingPrice",
      "content/texts › %s says: %s",
    ],
    [
      "If we cannot ship within the time stated, or within {policyWords().shipWithinDays} when none is stated, we will tell you and you may cancel for a full refund.",
      "shop/fulfillment/delay.server.ts carryOutDelays",
      "payments/delays › an order that does not ship by its day is asked about, and ends after 30 more unless its customer agrees",
    ],
    [
      "After an Order has shipped, you may refuse delivery or return it",
      "shop/returns/request.server.ts requestReturn",
      "returns/returns.server › is authorized at once, and refunds what was paid after the inspection",
    ],
  ],
  "terms#ip": "It says what belongs to whom.",
  "terms#conduct": "It says what you promise.",
  "terms#use": "It reserves changes, and links lead elsewhere at your own risk.",
  "terms#warranty": "It repeats the limited warranty, whose rows are below.",
  "terms#liability": "It limits what either side owes.",
  "terms#indemnification": [
    ["We will tell you promptly about the claim and let you take part in the defense.", PEOPLE, "Tell a customer"],
  ],
  "terms#arbitration": [
    ["Write to us [through Support](/support).", MESSAGE, ARRIVES],
    ["We pay the arbitration filing and arbitrator fees", PEOPLE, "Pay"],
    [
      "You may opt out by written notice [through Support](/support) within {policyWords().arbitrationOptOutDays} of your first purchase.",
      "shop/support/arbitration.server.ts recordOptOut",
      "support/arbitration.server › of %s counts until the last day after the first purchase, in New York",
    ],
    [
      "Opting out costs you nothing and changes nothing else.",
      "/admin/arbitration",
      "http/admin-messages › a notice of opting out of arbitration is recorded from its message, and shown with the customer",
    ],
  ],
  "terms#governing": "It names the law and the courts.",
  "terms#force": [
    [
      "If such an event delays your Order by more than {policyWords().longDelayDays}, you may cancel it for a full refund.",
      "shop/fulfillment/fulfill.server.ts cancelByBuyer",
      "orders/delay › without a yes an order is canceled, and refunded if it is charged",
    ],
  ],
  "terms#severability": "It says what stays in force.",
  "terms#entire": "It says that these texts are the agreement.",
  "terms#contact": [
    [
      "Send questions about these terms, and notices under them, through [our support page](/support)",
      MESSAGE,
      ARRIVES,
    ],
  ],

  "warranty#limited-warranty": [
    [
      "for {policyWords().warrantyYears} from the date of the original purchase",
      "shop/catalog/product.ts warrantyYears",
      "http/claims › of %s is %s years",
    ],
    [
      "A part that we repair or replace is covered for the rest of your warranty",
      "shop/returns/eligibility.ts coveredUntil",
      "returns/eligibility › what was repaired or replaced is covered for the rest of the warranty or for 90 days, whichever is longer",
    ],
  ],
  "warranty#registration": [
    ["Send us your name, your order number, and the model [through Support](/support).", MESSAGE, ARRIVES],
    ["Your warranty is just as valid without it", PEOPLE, "Ask nobody"],
  ],
  "warranty#claim": [
    [
      "choose “Return, exchange, or report a problem,” and tell us what is wrong, with a photo if it helps",
      "/orders/:orderId/return",
      "http/returns › takes a claim from its checks to the repair, and the customer sees each step",
    ],
    [
      "If they do not help, you receive a return authorization number.",
      "shop/returns/handle.server.ts authorizeReturn",
      "returns/returns.server › gets checks, then a part, or a repair that is covered for 90 days more",
    ],
    [
      "This typically takes {policyWords().repairBusinessDays} after we receive it.",
      "shop/returns/handle.server.ts dueDay",
      "returns/eligibility › a %s that arrives on %s is due on %s",
    ],
    [
      "We pay for shipping both ways for a valid warranty claim within the United States.",
      "shop/returns/return.ts labelBy",
      "returns/returns.server › gets checks, then a part, or a repair that is covered for 90 days more",
    ],
  ],
  "warranty#express": [
    [
      "If it does not, we repair it or replace it with the same or an equal model.",
      "shop/returns/handle.server.ts resolveReturn",
      "returns/returns.server › gets checks, then a part, or a repair that is covered for 90 days more",
    ],
    [
      "If neither is possible in a reasonable time, we refund the price you paid.",
      "shop/returns/handle.server.ts resolveReturn",
      "returns/lifecycle.server › offers outcomes while a return may be resolved only, and a refund for all but repairs",
    ],
  ],
  "warranty#implied": "It says how long what the law gives lasts.",
  "warranty#return-policy": [
    [
      "within {policyWords().returnDays} of delivery. There is no restocking fee.",
      "shop/returns/request.server.ts requestReturn",
      "returns/eligibility › the 30th day ends at midnight in New York",
    ],
    [
      "We send you a return authorization number.",
      "shop/returns/handle.server.ts authorizeReturn",
      "returns/returns.server › is authorized at once, and refunds what was paid after the inspection",
    ],
  ],
  "warranty#refunds": [
    [
      "We issue your refund within {policyWords().refundBusinessDays} after inspection, to the original payment method.",
      "shop/returns/handle.server.ts dueDay",
      "returns/eligibility › a %s that arrives on %s is due on %s",
    ],
    [
      "We also refund the original shipping charge if the return is our fault.",
      "shop/returns/handle.server.ts resolveReturn",
      "returns/returns.server › refunds the shipping once, if the return is the shop’s fault",
    ],
    [
      "we may reduce the refund by the loss in value, and we will tell you why",
      "shop/returns/handle.server.ts inspectReturn",
      "returns/returns.server › refunds less for a loss in value, and says why",
    ],
  ],
  "warranty#exchanges": [
    [
      "You may exchange a product for another color or model within {policyWords().exchangeDays} of delivery",
      "shop/returns/request.server.ts requestReturn",
      "returns/returns.server › sets the wanted product aside, asks for the difference, and ships it with its order",
    ],
    [
      "If the price differs, we refund the difference or ask for it before we ship.",
      "shop/returns/amounts.ts differenceOf",
      "returns/returns.server › refunds what the wanted product costs less",
    ],
  ],
  "warranty#defective": [
    [
      "We send a replacement or refund you in full, and we pay all shipping.",
      "shop/returns/handle.server.ts resolveReturn",
      "returns/returns.server › is answered by a replacement at no charge, also without the product",
    ],
  ],
  "warranty#shipping": [
    [
      "When we pay for the shipping, we send you a label",
      "shop/returns/handle.server.ts authorizeReturn",
      "returns/returns.server › gets checks, then a part, or a repair that is covered for 90 days more",
    ],
  ],
  "warranty#cancellation": [
    [
      "Do so on your order’s page: open it from the link in any of our emails about the order.",
      "/orders/:orderId",
      "e2e/order-page › a guest sees the order and cancels it after a confirmation",
    ],
    [
      "we can [send you a new link](/orders/find)",
      "/orders/find",
      "http/order-page › emails the link, and responds alike for known and unknown orders",
    ],
    [
      "we issue the refund within {policyWords().cancellationRefundBusinessDays}",
      "shop/fulfillment/refund.server.ts runRefunds",
      "orders/delay › without a yes an order is canceled, and refunded if it is charged",
    ],
    [
      "After an order has shipped, it can no longer be canceled.",
      CANCEL,
      "http/order-page › is refused with a message after it has shipped",
    ],
  ],
  "warranty#international": "It says who pays for a product that its owner took abroad.",
  "warranty#damage": [
    [
      "[ask us](/support) for a repair at a fair price",
      "shop/returns/request.server.ts requestReturn",
      "returns/returns.server › goes on with a yes, is paid once it is repaired, and then ships",
    ],
  ],
  "warranty#exclusions": "It says what is not covered.",
  "warranty#state-rights": "It points to rights that the law gives.",
  "warranty#out-of-warranty": [
    [
      "The diagnostic fee is {policyWords().diagnosticFee}. If you go ahead with the repair, we waive the fee.",
      "shop/returns/handle.server.ts askFee",
      "returns/returns.server › costs the price in all: the paid fee is taken off",
    ],
    [
      "We always give you a price first and do nothing without your agreement.",
      "shop/returns/handle.server.ts quoteRepair",
      "returns/returns.server › goes on with a yes, is paid once it is repaired, and then ships",
    ],
  ],
  "warranty#consumables": [
    [
      "A filter that is defective when you unpack it is replaced free of charge.",
      "shop/returns/handle.server.ts resolveReturn",
      "returns/returns.server › is answered by a replacement at no charge, also without the product",
    ],
    [
      "You can find filters and gaskets in [the shop](/shop?category=Accessories).",
      "/shop",
      "http/discovery › finds no dead link, picture or anchor",
    ],
  ],
  "warranty#contact": [
    ["use [our support page](/support)", MESSAGE, ARRIVES],
    ["We are available {policyWords().supportHours}.", PEOPLE, "Answer"],
  ],

  "support#filter": "It says how a filter is changed.",
  "support#storage": "It says what the bowl is set to.",
  "support#returns": [
    [
      "You have {policyWords().returnDays} from delivery to send anything back, and there’s no restocking fee.",
      "shop/returns/request.server.ts requestReturn",
      "returns/eligibility › the 30th day ends at midnight in New York",
    ],
    [
      "we’ll send you a return authorization number",
      "shop/returns/handle.server.ts authorizeReturn",
      "returns/returns.server › is authorized at once, and refunds what was paid after the inspection",
    ],
    [
      "the same page of your order shows how far your return is",
      "/orders/:orderId/returns/:number",
      "http/returns › takes a claim from its checks to the repair, and the customer sees each step",
    ],
  ],
};
