import type { Testimonial } from "#shop/content/home.ts";
import { Carousel } from "#app/ui/product/carousel.tsx";

const tones: Record<Testimonial["tone"], string> = {
  leaf: "bg-leaf text-white",
  sage: "bg-sage text-ink",
  copper: "bg-copper text-ink",
  midnight: "bg-midnight text-paper",
};

export function Testimonials({ testimonials }: { testimonials: readonly Testimonial[] }) {
  return (
    <section aria-labelledby="testimonials">
      <div className="bg-sage/45">
        <div className="page section">
          <Carousel
            label="What people on the waitlist say"
            heading={
              <h2 id="testimonials" className="display max-w-[11em]">
                20,000+ have joined the waitlist
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

function Quote({ name, role, content, tone }: Testimonial) {
  const initials = name
    .split(" ")
    .map((part) => part[0])
    .join("");
  return (
    <figure className="flex flex-col justify-between gap-10 rounded-card bg-card p-7 lg:p-9">
      <div>
        <p role="img" aria-label="5 out of 5 stars" className="text-lg tracking-[0.15em] text-leaf">
          ★★★★★
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
    </figure>
  );
}
