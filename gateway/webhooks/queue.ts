/** First in, first out. An array's own `shift` moves everything that is left, which takes long where very much waits. */
export type Queue<Item> = {
  readonly push: (item: Item) => void
  readonly shift: () => Item | undefined
  readonly length: () => number
}

export const newQueue = <Item>(): Queue<Item> => {
  let items: Item[] = []
  let first = 0
  return {
    push: (item) => void items.push(item),
    shift: () => {
      const item = items[first]
      if (item === undefined) return undefined
      first++
      // What was taken is let go of when it is as much as what is left.
      if (2 * first >= items.length) {
        items = items.slice(first)
        first = 0
      }
      return item
    },
    length: () => items.length - first,
  }
}
