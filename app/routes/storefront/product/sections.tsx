import type { ProductSections } from "#shop/catalog/product-sections.ts";
import { cropOf, Picture } from "#app/ui/product/picture.tsx";
import { SizeDrawing } from "./size-drawing.tsx";
import { Temperatures } from "./temperatures.tsx";

type SectionsProps = { sections: ProductSections; colorHex: string | null };

/** The product in pictures and figures. */
export function Sections({ sections, colorHex }: SectionsProps) {
  const { benefits, temperatures, size, inTheBox, filterChange } = sections;
  return (
    <>
      {benefits.list.length > 0 && <Benefits {...benefits} />}
      {temperatures && <Temperatures {...temperatures} colorHex={colorHex} />}
      {size && <Size size={size} colorHex={colorHex} />}
      <div className="bg-sage/45">
        {inTheBox && <InTheBox {...inTheBox} />}
        {filterChange.length > 0 && <FilterChange frames={filterChange} />}
      </div>
    </>
  );
}

/** The first band, above the tabs. */
export function InUse({ heading, text, picture, alt }: NonNullable<ProductSections["inUse"]>) {
  return (
    <section aria-labelledby="in-use" className="pt-16 lg:pt-28">
      <div className="page grid gap-x-16 gap-y-4 lg:grid-cols-2 lg:items-end">
        <h2 id="in-use" className="display max-w-[10em]">
          {heading}
        </h2>
        <p className="max-w-[32em] text-lg text-ink-soft lg:pb-2">{text}</p>
      </div>
      <div className="draws-closer mt-8 overflow-hidden lg:mx-4 lg:mt-12 lg:rounded-card">
        <Picture
          name={picture}
          alt={alt}
          sizes="(min-width: 640px) 100vw, 125vw"
          className="block"
          imgClassName="aspect-5/4 w-full object-cover object-[50%_60%] sm:aspect-auto sm:h-[min(58vw,820px)]"
        />
      </div>
    </section>
  );
}

function Benefits({ list, source }: ProductSections["benefits"]) {
  return (
    <section aria-label="What it does" className="page section pt-0!">
      <ul className="grid gap-x-4 gap-y-12 md:grid-cols-3 lg:gap-x-6">
        {list.map(({ figure, title, text, picture, alt }) => (
          <li key={title}>
            <Framed
              name={picture}
              alt={alt}
              sizes="(min-width: 1320px) 600px, (min-width: 768px) 45vw, 92vw"
              place="object-[50%_60%] md:aspect-4/5"
            />
            <p className="mt-6 text-[clamp(2.75rem,4.6vw,4.25rem)] leading-none font-medium tracking-[-0.035em] whitespace-nowrap text-leaf">
              {figure}
            </p>
            <h2 className="mt-4 text-xl font-semibold lg:text-2xl">{title}</h2>
            <p className="mt-2 max-w-[32em] leading-relaxed text-ink-soft">{text}</p>
          </li>
        ))}
      </ul>
      {source && <p className="mt-10 text-sm text-ink-soft">{source}</p>}
    </section>
  );
}

function Size({ size, colorHex }: { size: NonNullable<ProductSections["size"]>; colorHex: string | null }) {
  const { text, facts, shot } = size;
  return (
    <section
      aria-labelledby="size"
      className="page section grid items-center gap-x-16 gap-y-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.25fr)] xl:gap-x-24"
    >
      <div>
        <h2 id="size" className="heading">
          Next to a Mug
        </h2>
        <p className="mt-4 max-w-[30em] text-lg text-ink-soft">{text}</p>
        <dl className="mt-8 grid max-w-md grid-cols-2 gap-x-6 gap-y-5">
          {facts.map(([label, value]) => (
            <div key={label} className="border-t border-ink/20 pt-3">
              <dt className="text-[15px] text-ink-soft">{label}</dt>
              <dd className="mt-0.5 text-lg font-semibold tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      {shot ? (
        <Framed
          name={shot.picture}
          alt={shot.alt}
          sizes="(min-width: 1320px) 740px, (min-width: 1024px) 56vw, 104vw"
          place="object-[50%_70%]"
        />
      ) : (
        <SizeDrawing size={size} colorHex={colorHex} />
      )}
    </section>
  );
}

function InTheBox({ picture, alt, items }: NonNullable<ProductSections["inTheBox"]>) {
  return (
    <section
      aria-labelledby="in-the-box"
      className="page section grid items-center gap-x-16 gap-y-8 pb-0! lg:grid-cols-2 xl:gap-x-24"
    >
      <Framed
        name={picture}
        alt={alt}
        sizes="(min-width: 1320px) 560px, (min-width: 1024px) 46vw, 92vw"
        shape="aspect-3/2"
      />
      <div>
        <h2 id="in-the-box" className="heading">
          In the Box
        </h2>
        <ul className="mt-6 max-w-lg lg:mt-8">
          {items.map((item) => (
            <li key={item} className="border-t border-ink/20 py-3.5 text-lg">
              {item}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function FilterChange({ frames }: { frames: ProductSections["filterChange"] }) {
  return (
    <section aria-labelledby="filter-change" className="page section">
      <h2 id="filter-change" className="heading">
        Change the Filter in Three Steps
      </h2>
      <ol className="mt-8 grid gap-x-4 gap-y-10 md:grid-cols-3 lg:mt-12 lg:gap-x-6">
        {frames.map(({ title, text, picture, alt }, index) => (
          <li key={title}>
            <Framed
              name={picture}
              alt={alt}
              sizes="(min-width: 1320px) 560px, (min-width: 768px) 42vw, 92vw"
              place="object-[50%_45%]"
            />
            <h3 className="mt-5 text-lg font-semibold tracking-[-0.01em]">
              <span className="mr-2 text-leaf tabular-nums">{index + 1}</span>
              <span>{title}</span>
            </h3>
            <p className="mt-1.5 max-w-[32em] text-ink-soft">{text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

type FramedProps = { name: string; alt: string; sizes: string; shape?: string; place?: string };

/** A picture in a rounded frame, cropped if it is a studio picture. */
function Framed({ name, alt, sizes, shape = "aspect-4/3", place = "" }: FramedProps) {
  return (
    <div className="overflow-hidden rounded-card bg-photo">
      <Picture
        name={name}
        alt={alt}
        sizes={sizes}
        className="block"
        imgClassName={`${shape} w-full object-cover ${place} ${cropOf(name)}`}
      />
    </div>
  );
}
