/** Maps a list with `atOnce` calls under way; resolves to the results in the order of the list. */
export const inParallel = async <Item, Result>(
  atOnce: number,
  items: readonly Item[],
  map: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = []
  const waiting = items.entries()
  const lane = async (): Promise<void> => {
    for (const [index, item] of waiting) results[index] = await map(item, index)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return results
}
