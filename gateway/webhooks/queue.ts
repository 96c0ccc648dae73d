/** First in, first out. An array's own `shift` moves all remaining items, which is slow for a long queue. */
export type Queue<Item> = {
  readonly push: (item: Item) => void
  readonly shift: () => Item | undefined
  readonly length: () => number
}

/** An empty queue. */
export const newQueue = <Item>(): Queue<Item> => {
  let items: Item[] = []
  let first = 0
  return {
    push: (item) => void items.push(item),
    shift: () => {
      const item = items[first]
      if (item === undefined) return undefined
      first++
      // The taken part is dropped once it is as long as the rest, which makes a shift O(1) on average.
      if (2 * first >= items.length) {
        items = items.slice(first)
        first = 0
      }
      return item
    },
    length: () => items.length - first,
  }
}
