/** True for the names by which only this machine itself is reached, as they stand in a URL. */
export const isLocalName = (hostname: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
