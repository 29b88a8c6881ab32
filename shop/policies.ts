/** Policy numbers: amounts in cents, spans in the unit of their name. Texts use them through policy-text.ts. */

export const cartPolicy = { maxLineQuantity: 10 } as const;

export const paymentPolicy = {
  /** Minutes for which an unpaid order reserves stock. */
  reservationMinutes: 30,
  /** Days for which an order that staff placed reserves stock until the customer pays by the link in its email. */
  linkDays: 3,
  /** Orders of one network that wait for payment at a time; launch days put a carrier's whole town behind one address. */
  maxUnpaidOrders: 100,
  /** Banks keep an authorization about seven days: what ships later than this is charged when it ships. */
  chargedAtShippingAfterDays: 5,
  /** Days before shipping at which an email says what will be charged. */
  chargeNoticeDays: 3,
  /** Days for which a refused charge keeps the order, and after which it is reminded. */
  refusedCharge: { keptDays: 7, reminderDays: 4 },
  /** Smallest charge in US dollars that Stripe takes: docs.stripe.com/currencies, "Minimum and maximum charge amounts". */
  smallestChargeCents: 50,
  /** Methods that the shop offers, of those whose provider is set up. */
  methods: {
    card: true,
    link: false,
    klarna: false,
    affirm: false,
    amazon_pay: false,
    cashapp: false,
    paypal: false,
  },
} as const;

export const shippingPolicy = {
  /** Subtotal from which methods are free. */
  freeFromCents: 100_00,
  /** Prices below it, and transit days. */
  standard: {
    name: "Standard Shipping",
    isOffered: true,
    isFree: true,
    priceCents: 9_99,
    businessDays: { min: 5, max: 7 },
  },
  express: {
    name: "Express Shipping",
    isOffered: true,
    isFree: true,
    priceCents: 19_99,
    businessDays: { min: 2, max: 3 },
  },
  overnight: {
    name: "Overnight Shipping",
    isOffered: true,
    isFree: true,
    priceCents: 34_99,
    businessDays: { min: 1, max: 1 },
  },
  /** Hour in New York from which an order counts from the next day, and the one at which the parcels of a day have left. */
  cutoffHour: 14,
  pickupHour: 18,
  /** Shipping deadline without a stated date (FTC mail order rule). */
  shipWithinDays: 30,
} as const;

export const returnPolicy = {
  returnDays: 30,
  shipBackDays: 7,
  /** Days after its authorization at which a return that is not back is reminded of. */
  reminderAfterDays: 5,
  /** Days after the last day to ship it at which an authorization ends. */
  expiresAfterDays: 14,
  refundBusinessDays: { min: 5, max: 7 },
  refundBankDays: { min: 3, max: 5 },
  exchangeDays: 30,
  defectReportDays: 7,
  cancellationRefundBusinessDays: { min: 3, max: 5 },
} as const;

export const contactPolicy = {
  supportHours: "Mon-Fri 9 AM-6 PM EST",
  supportEmail: "support@polara.example",
  ordersEmail: "orders@polara.example",
  /** Lines of the address to which customers send returns. */
  returnAddress: ["Polara Returns", "200 Harvest Lane", "Wilmington, DE 19801"],
  /** Lines of the company's address, in every email. */
  postalAddress: ["Polara", "200 Harvest Lane", "Wilmington, DE 19801"],
} as const;

/** Origin of parcels, and boxes from the smallest: inner size, weight with padding, and what they hold. */
export const parcelPolicy = {
  shipFrom: {
    name: "Polara",
    line1: "1 Warehouse Way",
    city: "Albany",
    state: "NY",
    postalCode: "12207",
    phone: "518-555-0100",
  },
  mailer: { inches: [10, 8, 2], ounces: 1, holdsOunces: 10 },
  small: { inches: [10, 8, 6], ounces: 6, holdsOunces: 45 },
  bowl: { inches: [14, 14, 10], ounces: 16, holdsOunces: 100 },
  large: { inches: [28, 14, 10], ounces: 30, holdsOunces: 2_400 },
} as const;

export const warrantyPolicy = {
  warrantyYears: 2,
  partsWarrantyYears: 1,
  replacementPartDays: 90,
  registrationDays: 30,
  repairBusinessDays: { min: 10, max: 15 },
  extendedPlanDays: 30,
  diagnosticFeeCents: 35_00,
} as const;

export const productPolicy = {
  temperatureToleranceF: 2,
  filterMonths: 6,
  batteryHours: 48,
  chargeHours: 2,
  chargeWatts: 45,
  power: "120V AC 60Hz",
} as const;

export const policy = {
  effectiveDate: "2025-01-01",
  liabilityFloorCents: 100_00,
  disputeTalkDays: 60,
  arbitrationFeesUpToCents: 10_000_00,
  arbitrationOptOutDays: 30,
  longDelayDays: 30,
  governingState: "Delaware",
  courts: "New Castle County",
  /** Methods named while online payment is not open. */
  paymentMethods: "credit and debit cards, PayPal, Apple Pay, and Google Pay",
  minimumAge: 18,
  childAge: 13,

  guestCookieYears: 1,
  deviceCookieYears: 1,
  sessionDays: 30,
  /** Minutes for which the browser that ordered shows a guest's name and address in full. */
  orderInFullMinutes: 30,
  /** Minutes for which a message waits for the next page. */
  flashMinutes: 2,
  /** Days for which a browser remembers an invitation code. */
  invitationDays: 30,
  /** Days for which a browser remembers a discount code. */
  discountCodeDays: 30,
  breachNoticeHours: 72,
  securityLogDays: 90,
  accountInactiveYears: 5,
  transactionYears: 7,
  marketingInactiveYears: 2,
  supportYears: 3,
  gdprResponseDays: 30,
  ccpaResponseDays: 45,
} as const;
