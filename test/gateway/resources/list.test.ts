import t from 'tap'
import { wholeListView } from '../../../gateway/resources/list.ts'
import { readWholeList } from '../../../gateway/routes/paging.ts'

t.test('a list that is all in one page has a largest page, and goes on after it', async (t) => {
  const pagination = (query: Parameters<typeof readWholeList>[0], total: number) => {
    const read = readWholeList(query, {})
    if (!read.ok) throw new Error('refused')
    const { page, pageSize } = read.input
    const first = (page - 1) * pageSize
    const rows = Array.from({ length: total }, (_, n) => n).slice(first, first + pageSize)
    const view = wholeListView({ rows, total, asOf: 1, nowMs: 0 }, read.input, (n) => ({ n }))
    return { rows: view.data.length, ...view.pagination }
  }
  t.match(pagination({}, 0), { rows: 0, pageSize: 0, totalPages: 0, hasMore: false })
  t.match(pagination({}, 1000), { rows: 1000, pageSize: 1000, totalPages: 1, hasMore: false })
  t.match(pagination({}, 1001), { rows: 1000, pageSize: 1000, totalPages: 2, hasMore: true })
  t.match(pagination({ page: 2 }, 1001), { rows: 1, pageSize: 1000, totalPages: 2, hasMore: false })
  t.match(pagination({ page: 3, pageSize: 200 }, 1001), { rows: 200, totalPages: 6, hasMore: true })
})
