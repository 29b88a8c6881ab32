import { Link } from "react-router";

/** The claim, and the drawing that explains it. */
export default function ShelfLife({ chart }: { chart: string }) {
  return (
    <section className="page pb-[clamp(56px,8vw,112px)]" aria-labelledby="shelf-life">
      <div className="grid gap-x-16 gap-y-11 border-t border-ink/20 pt-[clamp(56px,6vw,88px)] lg:grid-cols-[minmax(0,1fr)_minmax(0,1.35fr)] xl:gap-x-24">
        <div className="flex flex-col items-start">
          <h2 id="shelf-life" className="display max-w-[8em]">
            One week becomes three
          </h2>
          <p className="mt-6 max-w-[30em] text-lg leading-relaxed text-ink-soft">
            Ripe tomatoes keep for a week on the counter. The bowl is made for three. Cool, moist air without ethylene
            slows everything in it down.
          </p>
          <Link to="/science" className="text-link mt-4 inline-flex min-h-11 items-center">
            Read the science
          </Link>
          <p
            aria-hidden="true"
            className="mt-auto hidden text-[clamp(8rem,16vw,14rem)] leading-[0.8] font-medium tracking-[-0.05em] text-leaf lg:block"
          >
            3x
          </p>
        </div>
        <div dangerouslySetInnerHTML={{ __html: chart }} />
      </div>
    </section>
  );
}
