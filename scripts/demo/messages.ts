/** What people write to a shop of cooling bowls. `{order}` is the number of an order of theirs, `{product}` what was in it. */
export const MESSAGES = [
  "Hi, my order {order} still says processing. Do you know when the {product} will ship? It is a birthday present.",
  "The tracking of {order} has not moved for three days. Could you check with the carrier please?",
  "I typed the wrong apartment number in order {order}. It should be Apt 12. Can you still change it?",
  "My {product} arrived today and it is beautiful, thank you! One question: can the lid go in the dishwasher?",
  "The {product} from order {order} came with a dent in the rim. I have pictures. What should I do?",
  "Does the filter really last six months if I mostly keep berries in the bowl?",
  "I would like to return the {product}, it is larger than I thought. Order {order}. How do I get a label?",
  "Is the Earth Green one coming back in stock? I only see sold out.",
  "Can I use the bowl with a European adapter? We spend the summer in Portugal.",
  "The display shows E3 since this morning. I unplugged it for an hour and it came back. Is this covered?",
  "Could I get an invoice with our company name for order {order}?",
  "I ordered twice by mistake, please cancel {order}. Thank you!",
  "How loud is it at night? Our kitchen is open to the bedroom.",
  "I was charged and then got an email that the payment failed. Order {order}. Please tell me what is going on.",
  "We would like 40 bowls for our office. Is there somebody I can talk to about that?",
  "Hello, the gasket of my {product} does not close on one side any more. Do you sell that part?",
  "My refund for {order} is not on my card yet. It has been a week.",
  "Do you ship to Canada?",
  "Thank you for the quick help last week, the replacement lid fits perfectly.",
  "The box of {order} was left in the rain, but everything inside is fine. Just so you know about the carrier.",
  "Can I change the color of order {order} to Frost White before it ships?",
  "Is the Pro worth it over the Classic for one person who mainly buys salad and herbs?",
  "I moved and forgot to change my address. Order {order} goes to the old one, please stop it.",
  "I signed up for the waitlist twice with different emails, please remove one of them.",
] as const;

/** Where visits come from: source and campaign, and how many of each hundred. */
export const CAMPAIGNS: readonly (readonly [readonly [string | null, string | null], number])[] = [
  [[null, null], 52],
  [["google", "brand"], 12],
  [["google", "shopping"], 9],
  [["instagram", "kitchen-counter"], 9],
  [["newsletter", "monthly"], 7],
  [["tiktok", "fresh-for-days"], 5],
  [["podcast", "the-produce-hour"], 3],
  [["friend", null], 3],
];
