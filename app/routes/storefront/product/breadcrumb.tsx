import { Link } from "react-router";

export function Breadcrumb({ name }: { name: string }) {
  const link = "-mx-1 inline-flex min-h-11 items-center px-1 hover:underline hover:underline-offset-4";
  return (
    <nav aria-label="Breadcrumb">
      <ol className="flex flex-wrap items-center gap-x-2 text-[15px] text-ink-soft">
        <li>
          <Link to="/" className={link}>
            Home
          </Link>
        </li>
        <li aria-hidden="true">/</li>
        <li>
          <Link to="/shop" className={link}>
            Shop
          </Link>
        </li>
        <li aria-hidden="true">/</li>
        <li aria-current="page" className="text-ink">
          {name}
        </li>
      </ol>
    </nav>
  );
}
