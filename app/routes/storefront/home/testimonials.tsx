import type { HomeWords, Testimonial } from "#shop/content/home.ts";
import { Carousel } from "#app/ui/product/carousel.tsx";
import { SmallStars } from "#app/ui/product/stars.tsx";

const tones: Record<Testimonial["tone"], string> = {
  leaf: "bg-leaf text-white",
  sage: "bg-sage text-ink",
  copper: "bg-copper text-ink",
  midnight: "bg-midnight text-paper",
};

export function Testimonials({ waitlist, testimonials }: Pick<HomeWords, "waitlist" | "testimonials">) {
  return (
    <section aria-labelledby="testimonials">
      <div className="bg-sage/45">
        <div className="page section">
          <Carousel
            label="What people on the waitlist say"
            heading={
              <div>
                <h2 id="testimonials" className="heading max-w-[14em]">
                  {waitlist.heading}
                </h2>
                <p className="mt-3 text-ink-soft">These quotes are samples until we have our customers’ own.</p>
              </div>
            }
            itemClassName="w-full"
          >
            {testimonials.map((testimonial) => (
              <Quote key={testimonial.name} {...testimonial} />
            ))}
          </Carousel>
        </div>
      </div>
    </section>
  );
}

function Quote({ name, role, content, rating, tone }: Testimonial) {
  const initials = name
    .split(" ")
    .map((part) => part[0])
    .join("");
  return (
    <figure className="flex flex-col justify-between gap-8 border-t border-ink/25 pt-6 lg:gap-12 lg:pt-10">
      <div>
        <SmallStars rating={rating} />
        <blockquote className="mt-5 max-w-[24em] text-[clamp(1.5rem,3.2vw,2.75rem)] leading-tight font-medium tracking-[-0.02em] text-pretty">
          <span aria-hidden="true">“</span>
          <span>{content}</span>
          <span aria-hidden="true">”</span>
        </blockquote>
      </div>
      <figcaption className="flex items-center gap-4">
        <span
          role="img"
          aria-label={`Portrait of ${name}`}
          className={`grid size-10 shrink-0 place-items-center rounded-full text-sm font-semibold ${tones[tone]}`}
        >
          {initials}
        </span>
        <span>
          <span className="block font-semibold">{name}</span>
          <span className="block text-[15px] text-ink-soft">{role}</span>
        </span>
      </figcaption>
    </figure>
  );
}
