// Behaviour of the page "connect" alone.
export {};
