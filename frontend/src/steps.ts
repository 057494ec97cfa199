// Behaviour of the page "steps" alone.
export {};
