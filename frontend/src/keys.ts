// Behaviour of the page "keys" alone.
export {};
