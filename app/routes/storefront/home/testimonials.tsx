import { WAITLIST_SIZE, type Testimonial } from "../../../../shop/content/testimonials.ts";
import { Static } from "../../../ui/content/static.tsx";
import { Carousel } from "../../../ui/product/carousel.tsx";

const tones: Record<Testimonial["tone"], string> = {
  leaf: "bg-leaf text-white",
  sage: "bg-sage text-ink",
  copper: "bg-copper text-ink",
  midnight: "bg-midnight text-paper",
};

export function Testimonials({ testimonials }: { testimonials: readonly Testimonial[] }) {
  return (
    <section className="further-down" aria-labelledby="testimonials">
      <div className="bg-sage/45">
        <div className="page section">
          <Carousel
            label="What people on the waitlist say"
            heading={
              <h2 id="testimonials" className="display max-w-[11em]">
                {WAITLIST_SIZE} have joined the waitlist
              </h2>
            }
            itemClassName="w-[86%] sm:w-[58%] lg:w-[calc((100%-48px)/3)]"
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
    <Static as="figure" className="flex flex-col justify-between gap-10 rounded-card bg-card p-7 lg:p-9">
      <div>
        <p role="img" aria-label={`${rating} out of 5 stars`} className="text-lg tracking-[0.15em] text-leaf">
          {"★".repeat(rating)}
        </p>
        <blockquote className="mt-5 text-xl leading-snug font-medium tracking-[-0.01em] lg:text-[1.375rem]">
          {content}
        </blockquote>
      </div>
      <figcaption className="flex items-center gap-4">
        <span
          aria-hidden="true"
          className={`grid size-12 shrink-0 place-items-center rounded-full font-semibold ${tones[tone]}`}
        >
          {initials}
        </span>
        <span>
          <span className="block font-semibold">{name}</span>
          <span className="block text-[15px] text-ink-soft">{role}</span>
        </span>
      </figcaption>
    </Static>
  );
}
