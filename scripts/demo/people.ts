/** People who are nobody: their emails are of domains that belong to nobody. */
import type { Chance } from "./chance.ts";

export type Person = {
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  line1: string;
  line2: string | null;
  city: string;
  state: string;
  postalCode: string;
  /** Null for a guest. */
  userId: string | null;
  since: Date;
};

const words = (text: string) => text.trim().split(/\s+/);
const FIRST =
  words(`Ada Alan Alice Amara Andre Anna Ben Bianca Carla Carlos Chloe Claire Daniel Diego Elena Eli Emma Ethan
  Farah Felix Grace Hana Hugo Ines Iris Ivan Jack James Jamal Jonas Julia Kai Karen Kenji Laila Laura Leo Lina Lucas Lucy
  Maria Marcus Maya Mei Mia Miguel Nadia Nina Noah Nora Olga Oliver Omar Paula Priya Quinn Rafael Rosa Ruth Sam Sara Sofia
  Stella Theo Tessa Tom Uma Victor Vera Wei Will Yara Zoe`);
const LAST =
  words(`Adams Alvarez Baker Bauer Bell Brooks Carter Castro Chen Clark Cohen Costa Cruz Davis Diaz Duran Evans
  Fisher Flores Foster Fox Garcia Gomez Grant Gray Green Hall Hayes Hill Hughes Ito James Jensen Kaplan Kelly Kim King Klein
  Lane Lee Lewis Lopez Martin Meyer Miller Moore Morris Nash Nguyen Novak Okafor Olsen Ortiz Owens Park Patel Perez Price
  Quinn Ramos Reed Rivera Rossi Russo Santos Shaw Silva Singh Stone Tanaka Torres Turner Vega Wagner Walker Ward West Wong
  Wright Young`);
const STREETS = words("Maple Oak Cedar Pine Elm Walnut Birch Chestnut Willow Juniper Laurel Magnolia Spruce Hickory");
const KINDS = words("St Ave Rd Ln Dr Ct");
const TOWNS = `New York NY 10011, Brooklyn NY 11215, Buffalo NY 14201, Boston MA 02116, Cambridge MA 02139,
  Portland ME 04101, Providence RI 02903, Hartford CT 06103, Newark NJ 07102, Philadelphia PA 19103, Pittsburgh PA 15222,
  Baltimore MD 21201, Washington DC 20009, Richmond VA 23220, Raleigh NC 27601, Charlotte NC 28203, Atlanta GA 30308,
  Savannah GA 31401, Miami FL 33130, Tampa FL 33602, Nashville TN 37203, Louisville KY 40202, Columbus OH 43215,
  Cleveland OH 44113, Detroit MI 48226, Ann Arbor MI 48104, Chicago IL 60614, Madison WI 53703, Minneapolis MN 55401,
  Des Moines IA 50309, St. Louis MO 63103, New Orleans LA 70115, Austin TX 78704, Houston TX 77006, Dallas TX 75201,
  Denver CO 80202, Boulder CO 80302, Santa Fe NM 87501, Phoenix AZ 85004, Salt Lake City UT 84101, Boise ID 83702,
  Seattle WA 98103, Portland OR 97205, San Francisco CA 94110, Oakland CA 94610, Los Angeles CA 90026, San Diego CA 92101,
  Honolulu HI 96815, Anchorage AK 99501`
  .split(",")
  .map((town) => /^\s*(.+) (\w\w) (\d{5})$/.exec(town)!.slice(1) as [string, string, string]);

/** Makes people, no two with one email. */
export function peopleMaker(random: Chance) {
  const taken = new Map<string, number>();
  return (since: Date, hasAccount: boolean): Person => {
    const firstName = random.pick(FIRST);
    const lastName = random.pick(LAST);
    const name = `${firstName}.${lastName}`.toLowerCase();
    const before = taken.get(name) ?? 0;
    taken.set(name, before + 1);
    const [city, state, postalCode] = random.pick(TOWNS);
    return {
      firstName,
      lastName,
      email: `${name}${before === 0 ? "" : before + 1}@example.${random.pick(["com", "org", "net"])}`,
      phone: `${random.whole(201, 989)}555${random.digits(4)}`,
      line1: `${random.whole(1, 980)} ${random.pick(STREETS)} ${random.pick(KINDS)}`,
      line2: random.is(0.25) ? `Apt ${random.whole(1, 40)}` : null,
      city,
      state,
      postalCode,
      userId: hasAccount ? random.uuid() : null,
      since,
    };
  };
}
