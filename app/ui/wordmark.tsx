/** The bowl with its lid just lifted, and the name. The letters follow the text color. */
export function Wordmark({ className = "h-6" }: { className?: string }) {
  return (
    <svg viewBox="0 0 137 32" role="img" aria-label="Polara" className={`w-auto ${className}`} fill="none">
      <path className="fill-leaf" d="M1 12.2C1 6.6 8.6 2.4 18 2.4s17 4.2 17 9.8c0 .6-.5 1-1 1H2c-.5 0-1-.4-1-1Z" />
      <path className="fill-leaf" d="M2.2 16.4h31.6c-.2 7.4-5.4 13.2-12 13.2h-7.6c-6.6 0-11.8-5.8-12-13.2Z" />
      <path className="stroke-paper" strokeWidth="1.4" d="M13.2 7.9c0-1 2.1-1.8 4.8-1.800s4.8.8 4.8 1.8-2.1 1.8-4.8 1.8-4.8-.8-4.8-1.800Z" />
      <g className="stroke-current" strokeWidth="2.7" strokeLinecap="round" strokeLinejoin="round">
        <path d="M46.5 29.500V12.1" />
        <circle cx="53" cy="18.6" r="6.5" />
        <circle cx="71.7" cy="18.6" r="6.5" />
        <path d="M84.2 6v19.1" />
        <circle cx="96.2" cy="18.6" r="6.5" />
        <path d="M102.7 12.100v13" />
        <path d="M110.7 25.100v-13M110.7 19.400c0-4.6 2.5-7.2 6.6-7.2" />
        <circle cx="128" cy="18.6" r="6.5" />
        <path d="M134.5 12.100v13" />
      </g>
    </svg>
  );
}
