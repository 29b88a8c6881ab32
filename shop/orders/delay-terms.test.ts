import { describe, expect, it } from "vitest";
import { answerDay, historyOf, noticeTerms, type SentNotice } from "./delay-terms.ts";

const PROMISED = "2027-03-01";
const on = (until: string | null, answerBy: string | null = null, isAccepted = false): SentNotice => ({
  until,
  answerBy,
  isAccepted,
});
const silent = on("2027-03-20");

type Case = [name: string, sent: SentNotice[], today: string, until: string | null, answerBy: string | null];

describe("the deadline of a notice", () => {
  it.each<Case>([
    ["a first delay of 30 days stands on silence", [], "2027-02-20", "2027-03-31", null],
    ["of 31 days needs a yes within 30 days", [], "2027-02-20", "2027-04-01", "2027-03-31"],
    ["of one day, told on the last day, stands on silence", [], PROMISED, "2027-03-02", null],
    ["to an unknown day needs a yes within 30 days", [], "2027-02-20", null, "2027-03-31"],
    ["to an unknown day, told on the day itself", [], PROMISED, null, "2027-03-31"],
    ["told too late needs a yes, however short", [], "2027-03-02", "2027-03-10", "2027-03-31"],
    ["told after these 30 days can be answered until the next day", [], "2027-04-20", null, "2027-04-21"],
    ["within the promise is none", [], "2027-02-01", "2027-02-20", null],
    ["after one within the promise is the first", [on("2027-02-20")], "2027-02-19", "2027-03-31", null],
    ["a second delay needs a yes by the first new day", [silent], "2027-03-10", "2027-03-21", "2027-03-20"],
    ["also if it is within 30 days of the promise", [silent], "2027-03-10", "2027-03-31", "2027-03-20"],
    ["and if its day is unknown", [silent], "2027-03-10", null, "2027-03-20"],
    ["told on the first new day, it can be answered until the next", [silent], "2027-03-20", null, "2027-03-21"],
    ["told a day before, by the first new day", [silent], "2027-03-19", null, "2027-03-20"],
    ["told late, until the day after it", [silent], "2027-03-25", null, "2027-03-26"],
    ["a yes to a day allows until it", [on("2027-05-01", "2027-03-31", true)], "2027-04-20", null, "2027-05-01"],
    [
      "a third delay needs a yes by the second new day",
      [silent, on("2027-04-10", "2027-03-20", true)],
      "2027-04-01",
      "2027-04-20",
      "2027-04-10",
    ],
    ["a yes to an unknown day covers a definite one", [on(null, "2027-03-31", true)], "2027-04-20", "2027-06-01", null],
    ["and what follows it", [on(null, "2027-03-31", true), on("2027-06-01")], "2027-06-01", null, null],
    ["an open question keeps its deadline", [on("2027-05-01", "2027-03-31")], "2027-03-10", "2027-06-01", "2027-03-31"],
    ["also when the unknown day is known", [on(null, "2027-03-31")], "2027-03-10", "2027-03-15", "2027-03-31"],
    ["also that of a second delay", [silent, on("2027-04-10", "2027-03-20")], "2027-03-19", "2027-05-10", "2027-03-20"],
    ["an open question that is over ends today", [on(null, "2027-03-31")], "2027-04-02", "2027-05-01", "2027-04-02"],
  ])("%s", (_name, sent, today, until, answerBy) => {
    expect(answerDay({ promisedOn: PROMISED, sent }, until, today)).toBe(answerBy);
  });

  it.each([
    ["spring", "2027-03-01", "2027-03-31"],
    ["fall", "2027-10-20", "2027-11-19"],
    ["a leap year", "2028-02-10", "2028-03-11"],
  ])("counts calendar days, also in %s", (_name, promisedOn, last) => {
    expect(noticeTerms({ promisedOn, sent: [] }, promisedOn)).toEqual({ silentUntil: last, answerBy: last });
  });
});

it("is read from the notices of an order", () => {
  expect(historyOf(PROMISED, [])).toEqual({ promisedOn: PROMISED, sent: [] });
  const notices = [
    { from: PROMISED, until: "2027-03-20", answerBy: null, acceptedAt: null },
    { from: "2027-03-20", until: null, answerBy: "2027-03-20", acceptedAt: new Date() },
  ];
  expect(historyOf(null, notices)).toEqual({ promisedOn: PROMISED, sent: [silent, on(null, "2027-03-20", true)] });
});
