/** Replaces the router's discovery of routes in the browser, which has all of them from the start (react-router.config.ts). */
export const isFogOfWarEnabled = () => false;
export const getPatchRoutesOnNavigationFunction = () => undefined;
export const useFogOFWarDiscovery = () => undefined;

// Asked only where discovery is on, by server components or by the server.
export const getPartialManifest = () => undefined;
export const getPathsWithAncestors = () => [];
export const handleClientVersionMismatch = () => undefined;
export const getManifestPath = () => "";
