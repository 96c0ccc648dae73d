/** How the command line shows what an operation answers: JSON where that is asked for, otherwise text for people. */
export const print = (result: Record<string, unknown>, json: boolean): void => {
  if (json) console.log(JSON.stringify(result))
  else if (Array.isArray(result.data)) printRows(result.data as Record<string, unknown>[])
  else for (const [name, value] of Object.entries(result)) printMember(name, value)
}

const printMember = (name: string, value: unknown): void => {
  if (!isTable(value)) console.log(`${name.padEnd(14)} ${shown(value)}`)
  else {
    console.log(`\n${name}`)
    printRows(value)
  }
}

const isTable = (value: unknown): value is Record<string, unknown>[] =>
  Array.isArray(value) && value.length > 0 && value.every((row) => typeof row === 'object')

const printRows = (rows: readonly Record<string, unknown>[]): void => {
  if (rows.length === 0) console.log('none')
  for (const row of rows) {
    console.log(
      Object.entries(row)
        .map(([name, value]) => `${name}=${shown(value)}`)
        .join('  '),
    )
  }
}

const shown = (value: unknown): string => {
  if (value === null || value === undefined) return '-'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
