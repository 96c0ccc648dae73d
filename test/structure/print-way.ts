import { recordWay } from './recorded-way.ts'

const ends: (() => unknown)[] = []
const way = await recordWay({ teardown: (end) => void ends.push(end) })
for (const { file, name } of way) console.log(file, name)
for (const end of ends.reverse()) await end()
process.exit()
