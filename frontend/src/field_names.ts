// A field's name is typed with the names of the samples' fields below it. They are
// asked for when the person comes to the input, not sent with each page.
const filled = new WeakMap<Element, string>();

async function fill(input: HTMLInputElement): Promise<void> {
  const list = input.list;
  const address = input.dataset.words ?? "";
  if (!list || filled.get(list) === address) return;
  filled.set(list, address);
  const answer = await fetch(address, { headers: { Accept: "application/json" } }).catch(() => null);
  if (!answer?.ok) {
    filled.delete(list); // asked again next time
    return;
  }
  const { fields } = await answer.json() as { fields: { text: string; value: string; kind: string }[] };
  list.replaceChildren(...fields.filter((f) => f.kind !== "object" && f.kind !== "list").map((f) => {
    const option = document.createElement("option");
    option.value = f.text.replace(/^body\./, "");
    option.label = f.value;
    return option;
  }));
}

document.addEventListener("focusin", (event) => {
  const input = event.target as HTMLInputElement;
  if (input.matches("input[list][data-words]")) void fill(input);
});
