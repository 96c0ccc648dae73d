/** Appends items one by one: a call takes some hundred thousand arguments at most, and a damaged snapshot may differ in more rows. */
export const appendTo = <Item>(all: Item[], more: Iterable<Item>): void => {
  for (const item of more) all.push(item)
}
