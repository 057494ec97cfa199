// Behaviour of the page "design" alone.
export {};
