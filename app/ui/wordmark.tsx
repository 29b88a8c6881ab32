/** The bowl with its lid just lifted, and the name. The letters follow the text color. */
export function Wordmark({ className = "h-6" }: { className?: string }) {
  return (
    <svg viewBox="0 0 137 32" role="img" aria-label="Polara" className={`w-auto ${className}`} fill="none">
      <path className="fill-leaf" d="M1 12.6C1 8 8.4 4 18 4s17 4 17 8.6c0 .5-.4.9-.9.9H1.9a.9.9 0 0 1-.9-.9Z" />
      <path className="fill-leaf" d="M1.8 16.2h32.4c-.4 7-5.2 12.3-11.6 12.3h-9.2C7 28.5 2.2 23.2 1.8 16.2Z" />
      <ellipse className="stroke-paper" strokeWidth="1.3" cx="18" cy="8.3" rx="5" ry="1.9" />
      <g className="stroke-current" strokeWidth="2.7" strokeLinecap="round" strokeLinejoin="round">
        <path d="M47 25.1V6h6.4a6 6 0 0 1 0 12H47" />
        <circle cx="71.7" cy="18.6" r="6.5" />
        <path d="M84.2 6v19.1" />
        <circle cx="96.2" cy="18.6" r="6.5" />
        <path d="M102.7 12.1v13" />
        <path d="M110.7 25.1v-13M110.7 19.4c0-4.6 2.5-7.2 6.6-7.2" />
        <circle cx="128" cy="18.6" r="6.5" />
        <path d="M134.5 12.1v13" />
      </g>
    </svg>
  );
}
