import type { Call } from './service.ts'

/** Every row of a list, page by page. */
export const everyRow = async (call: Call, path: string): Promise<any[]> => {
  const rows: any[] = []
  for (let page = 1; ; page++) {
    const { body } = await call('GET', `${path}?pageSize=200&page=${page}`)
    rows.push(...body.data)
    if (!body.pagination.hasMore) return rows
  }
}

/** Rows by what they have in a field. */
export const grouped = (rows: readonly any[], field: string): ReadonlyMap<string, readonly any[]> => {
  const groups = new Map<string, any[]>()
  for (const row of rows) {
    const group = groups.get(row[field])
    if (group === undefined) groups.set(row[field], [row])
    else group.push(row)
  }
  return groups
}

/** Amounts are texts. */
export const sumOf = (rows: readonly any[], field: string): number =>
  rows.reduce((sum, row) => sum + Number(row[field]), 0)

/** Says of what is not as it should be. */
export const expecting =
  (problems: string[]) =>
  (what: string, found: unknown, wanted: unknown): void => {
    const [is, should] = [JSON.stringify(found), JSON.stringify(wanted)]
    if (is !== should) problems.push(`${what} ${is}, not ${should}`)
  }
