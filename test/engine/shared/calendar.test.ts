import { readFileSync } from 'node:fs'
import t from 'tap'
import {
  addDays,
  addDuration,
  type CalendarDate,
  dateIn,
  daysBetween,
  easterSunday,
  endOfDay,
  instantOf,
  isBusinessDay,
  isoInstant,
  nextBusinessDay,
  readDate,
  readDuration,
  readInstant,
  startOfDay,
  timeIn,
} from '../../../engine/shared/calendar.ts'
import { dayMs } from '../world.ts'

const { years } = JSON.parse(
  readFileSync(new URL('../../../../test/vectors/holidays.json', import.meta.url), 'utf8'),
) as { years: Record<string, { easter: string; holidays: { date: string; name: string }[] }> }

const date = (text: string) => readDate(text)!
const saoPaulo = 'America/Sao_Paulo'
const firstDay = date('0001-01-01')
const lastDay = date('9998-12-31')
/** Numbers in [0, 1), the same in every run. */
const random = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

t.test('a date is read when the day exists', async (t) => {
  for (const text of ['2026-11-20', '2024-02-29', '2000-02-29', '0001-01-01', '9998-12-31']) {
    t.equal(readDate(text), text)
  }
  const others = [
    '',
    '2023-02-29',
    '1900-02-29',
    '2026-00-01',
    '2026-13-01',
    '2026-04-31',
    '2026-01-00',
    '2026-01-32',
    '0000-01-01',
    '9999-01-01',
    '2026-1-01',
    '20260101',
    '2026-01-01T00:00:00Z',
    ' 2026-01-01',
    '2026-01-01\n',
    '٢٠٢٦-٠١-٠١',
    '-001-01-01',
    '+2026-01-01',
  ]
  for (const text of others) t.equal(readDate(text), null, text)
})

t.test(
  'days are counted as the built-in calendar counts them, over all years that can be read',
  async (t) => {
    const wrong: string[] = []
    const total = daysBetween(firstDay, lastDay)
    for (let days = 0; days <= total; days += 97) {
      const expected = new Date(Date.parse(firstDay) + days * dayMs).toISOString().slice(0, 10)
      if (addDays(firstDay, days) !== expected || daysBetween(firstDay, date(expected)) !== days)
        wrong.push(expected)
    }
    t.same(wrong, [])
    t.equal(addDays(date('2026-03-01'), -1), '2026-02-28')
    t.equal(daysBetween(date('2025-02-22'), date('1997-10-07')), -10_000)
  },
)

t.test('every day of the holiday vectors is a business day or not as listed', async (t) => {
  for (const [year, { easter, holidays }] of Object.entries(years)) {
    t.equal(easterSunday(Number(year)), easter)
    const closed = new Set(holidays.map((holiday) => holiday.date))
    const wrong: string[] = []
    for (let day = date(`${year}-01-01`); day.startsWith(year); day = addDays(day, 1)) {
      const weekday = new Date(day).getUTCDay()
      const expected = weekday !== 0 && weekday !== 6 && !closed.has(day)
      if (isBusinessDay(day) !== expected) wrong.push(day)
    }
    t.same(wrong, [], year)
  }
})

t.test('20 November is a holiday since 2024', async (t) => {
  t.ok(isBusinessDay(date('2023-11-20')))
  t.notOk(isBusinessDay(date('2024-11-20')))
})

t.test(
  'the next business day is the day itself, or after the holidays and weekends that follow',
  async (t) => {
    t.equal(nextBusinessDay(date('2026-11-19')), '2026-11-19')
    t.equal(nextBusinessDay(date('2026-11-20')), '2026-11-23')
    t.equal(nextBusinessDay(date('2026-02-14')), '2026-02-18', 'Saturday before Carnival')
    t.equal(nextBusinessDay(date('2026-12-31')), '2026-12-31')
    t.equal(nextBusinessDay(date('2027-01-01')), '2027-01-04')
  },
)

t.test('Easter agrees with the algorithm of Meeus for three thousand years', async (t) => {
  const wrong: number[] = []
  for (let year = 1583; year < 4583; year++) if (easterSunday(year) !== meeus(year)) wrong.push(year)
  t.same(wrong, [])
})

const meeus = (year: number): string => {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100]
  const g = Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3)
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const n = h + l - 7 * Math.floor((a + 11 * h + 22 * l) / 451) + 114
  return new Date(Date.UTC(year, Math.floor(n / 31) - 1, (n % 31) + 1)).toISOString().slice(0, 10)
}

t.test('a day begins at midnight of its zone, whatever the zone', async (t) => {
  const starts = {
    'America/Sao_Paulo': '2026-11-20T03:00:00.000Z',
    'America/Noronha': '2026-11-20T02:00:00.000Z',
    'America/Manaus': '2026-11-20T04:00:00.000Z',
    'America/Rio_Branco': '2026-11-20T05:00:00.000Z',
    'Asia/Kathmandu': '2026-11-19T18:15:00.000Z',
    'Pacific/Kiritimati': '2026-11-19T10:00:00.000Z',
    UTC: '2026-11-20T00:00:00.000Z',
  }
  for (const [zone, start] of Object.entries(starts)) {
    t.equal(isoInstant(startOfDay(zone, date('2026-11-20'))), start, zone)
    t.equal(dateIn(zone, Date.parse(start)), '2026-11-20')
    t.equal(dateIn(zone, Date.parse(start) - 1), '2026-11-19')
  }
})

t.test(
  'days on which clocks are changed are shorter, longer or empty, and begin where they begin',
  async (t) => {
    const days: readonly [zone: string, date: string, start: string, hours: number][] = [
      [saoPaulo, '2018-11-04', '2018-11-04T03:00:00.000Z', 23], // 00:00 did not exist: clocks went to 01:00.
      [saoPaulo, '2019-02-16', '2019-02-16T02:00:00.000Z', 25], // 24:00 became 23:00.
      [saoPaulo, '2019-02-17', '2019-02-17T03:00:00.000Z', 24],
      [saoPaulo, '1985-11-02', '1985-11-02T03:00:00.000Z', 23],
      ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z', 23],
      ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z', 25],
      ['Australia/Lord_Howe', '2026-10-04', '2026-10-03T13:30:00.000Z', 23.5],
      ['Asia/Beirut', '2022-03-27', '2022-03-26T22:00:00.000Z', 23],
      ['Pacific/Apia', '2011-12-29', '2011-12-29T10:00:00.000Z', 24],
      ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z', 0],
      ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z', 24],
    ]
    for (const [zone, day, start, hours] of days) {
      t.equal(isoInstant(startOfDay(zone, date(day))), start, `${zone} ${day}`)
      t.equal((endOfDay(zone, date(day)) - startOfDay(zone, date(day))) / 3_600_000, hours, `${zone} ${day}`)
    }
  },
)

t.test('a time of a day is what clocks show, also after they were changed', async (t) => {
  const newYork = 'America/New_York'
  const times: readonly [zone: string, date: string, hours: number, instant: string, shown?: number][] = [
    [saoPaulo, '2026-11-20', 6.5, '2026-11-20T09:30:00.000Z'],
    [saoPaulo, '2018-11-04', 0.5, '2018-11-04T03:00:00.000Z', 1], // Clocks went from 00:00 to 01:00.
    [saoPaulo, '2018-11-04', 6, '2018-11-04T08:00:00.000Z'],
    [saoPaulo, '2019-02-16', 23.5, '2019-02-17T01:30:00.000Z'], // The first of two.
    [newYork, '2027-03-14', 1.5, '2027-03-14T06:30:00.000Z'],
    [newYork, '2027-03-14', 2.5, '2027-03-14T07:00:00.000Z', 3], // Clocks went from 02:00 to 03:00.
    [newYork, '2027-03-14', 8, '2027-03-14T12:00:00.000Z'],
    [newYork, '2026-11-01', 1.5, '2026-11-01T05:30:00.000Z'], // The first of two.
    [newYork, '2026-11-01', 20, '2026-11-02T01:00:00.000Z'],
    ['Pacific/Kiritimati', '2026-11-20', 23, '2026-11-20T09:00:00.000Z'],
    ['Pacific/Niue', '2026-11-20', 23, '2026-11-21T10:00:00.000Z'],
  ]
  for (const [zone, day, hours, instant, shown = hours] of times) {
    const atMs = instantOf(zone, date(day), hours * 3_600_000)
    t.equal(isoInstant(atMs), instant, `${zone} ${day} ${hours}`)
    t.equal(timeIn(zone, atMs) / 3_600_000, shown, `${zone} ${instant}`)
  }
})

t.test(
  'the date in a zone is what a formatter says, at any instant and on either side of every midnight',
  async (t) => {
    const next = random(7)
    const wrong: string[] = []
    for (const zone of [
      saoPaulo,
      'Europe/Lisbon',
      'Asia/Tehran',
      'Pacific/Apia',
      'America/St_Johns',
      'Africa/Monrovia',
    ]) {
      const formatter = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' })
      const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, timeStyle: 'medium' })
      for (let n = 0; n < 1000; n++) {
        const instant = Math.floor(next() * 4e12 - 1e12)
        const day = dateIn(zone, instant)
        const [start, end] = [startOfDay(zone, day), endOfDay(zone, day)]
        if (timeIn(zone, instant) !== timeOf(clock.format(instant)) + (((instant % 1000) + 1000) % 1000))
          wrong.push(`${zone} ${isoInstant(instant)} is not ${clock.format(instant)}`)
        if (day !== formatter.format(instant)) wrong.push(`${zone} ${isoInstant(instant)}`)
        if (instant < start || instant >= end) wrong.push(`${zone} ${day} has no ${isoInstant(instant)}`)
        if (formatter.format(start) !== day || formatter.format(start - 1) >= day)
          wrong.push(`${zone} ${day} begins`)
        if (formatter.format(end - 1) !== day || formatter.format(end) <= day)
          wrong.push(`${zone} ${day} ends`)
      }
    }
    t.same(wrong, [])
  },
)

const timeOf = (text: string): number => {
  const [hours, minutes, seconds] = text.split(':').map(Number)
  return ((hours! * 60 + minutes!) * 60 + seconds!) * 1000
}

t.test('the far ends of the calendar can be asked for in any zone', async (t) => {
  for (const zone of [saoPaulo, 'Pacific/Kiritimati', 'Pacific/Niue']) {
    t.equal(dateIn(zone, startOfDay(zone, firstDay)), firstDay)
    t.equal(dateIn(zone, endOfDay(zone, lastDay) - 1), lastDay)
    t.equal(dateIn(zone, endOfDay(zone, lastDay)), '9999-01-01')
  }
})

t.test('a zone that does not exist is an error', async (t) => {
  t.throws(() => startOfDay('America/Atlantis', date('2026-11-20')), RangeError)
})

t.test('more zones and days than are remembered come out the same', async (t) => {
  const zones = Intl.supportedValuesOf('timeZone').slice(0, 150)
  const instant = Date.parse('2026-11-20T12:00:00Z')
  const once = zones.map((zone) => dateIn(zone, instant))
  t.same(
    zones.map((zone) => dateIn(zone, instant)),
    once,
  )
  const days = Array.from({ length: 10_000 }, (_, n) => addDays(date('2000-01-01'), n))
  t.same(
    days.filter((day) => dateIn(saoPaulo, startOfDay(saoPaulo, day)) !== day),
    [],
  )
})

t.test('instants are written as the built-in calendar writes them', async (t) => {
  const next = random(11)
  const wrong: number[] = []
  const [from, to] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')]
  for (let n = 0; n < 50_000; n++) {
    const instant = Math.floor(from + next() * (to - from))
    if (isoInstant(instant) !== new Date(instant).toISOString()) wrong.push(instant)
  }
  for (const instant of [from, to, -1, 0, 999, 1000, -1000, -999]) {
    t.equal(isoInstant(instant), new Date(instant).toISOString())
  }
  t.same(wrong, [])
  t.throws(() => isoInstant(0.5))
  t.throws(() => isoInstant(to + 1))
})

t.test('instants are read back from what was written, and as the built-in calendar reads them', async (t) => {
  const next = random(13)
  const wrong: string[] = []
  for (let n = 0; n < 20_000; n++) {
    const instant = Math.floor(next() * 4e13 - 2e13)
    const local = isoInstant(instant).slice(0, -1)
    const offset = `${next() < 0.5 ? '+' : '-'}${String(Math.floor(next() * 24)).padStart(2, '0')}:45`
    if (readInstant(`${local}Z`) !== instant) wrong.push(`${local}Z`)
    if (readInstant(local + offset) !== Date.parse(local + offset)) wrong.push(local + offset)
  }
  t.same(wrong, [])
})

t.test(
  'a date-time is read with Z or an offset, and with seconds and their fractions or without',
  async (t) => {
    const expected = Date.parse('2026-11-20T15:00:00Z')
    for (const text of [
      '2026-11-20T15:00:00.000Z',
      '2026-11-20T15:00:00Z',
      '2026-11-20T15:00Z',
      '2026-11-20T12:00:00-03:00',
      '2026-11-20T12:00:00.000000-0300',
      '2026-11-20T12:00-03',
      '2026-11-21T01:30:00,0009+10:30',
    ]) {
      t.equal(readInstant(text), expected, text)
    }
    t.equal(readInstant('2026-11-20T15:00:00.1Z'), expected + 100)
    t.equal(readInstant('2026-11-20T15:00:00.1239Z'), expected + 123)
  },
)

t.test('what is no full date-time is refused', async (t) => {
  for (const text of [
    '',
    '2026-11-20',
    '2026-11-20T15:00:00',
    '2026-11-20 15:00:00Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T15:60:00Z',
    '2026-11-20T15:00:60Z',
    '2026-02-30T15:00:00Z',
    '2026-11-20T15Z',
    '2026-11-20T15:00:00+24:00',
    '2026-11-20T15:00:00+03:60',
    '2026-11-20T15:00:00.Z',
    '2026-11-20t15:00:00z',
    '1763650800000',
    '2026-11-20T15:00:00ZZ',
    '0000-12-31T23:59:59Z',
    '0001-01-01T00:00:00+00:01',
    '9999-01-01T00:00:00Z',
    '9998-12-31T23:59:00-00:01',
  ]) {
    t.equal(readInstant(text), null, text)
  }
})

t.test('durations are read in whole units', async (t) => {
  t.same(readDuration('P1Y2M3DT4H5M6S'), { months: 14, days: 3, ms: 14_706_000 })
  t.same(readDuration('P2W'), { months: 0, days: 14, ms: 0 })
  t.same(readDuration('PT10M'), { months: 0, days: 0, ms: 600_000 })
  t.same(readDuration('P0D'), { months: 0, days: 0, ms: 0 })
  for (const text of [
    '',
    'P',
    'PT',
    'P1',
    'P1DT',
    '1D',
    'p1d',
    'P-1D',
    '-P1D',
    'P1.5D',
    'P1D2M',
    'PT1D',
    'P1H',
    'P1W2D',
    'P100000D',
  ]) {
    t.equal(readDuration(text), null, text)
  }
})

t.test(
  'a duration moves an instant by calendar months first, and stays within a shorter month',
  async (t) => {
    const later = (from: string, duration: string) =>
      isoInstant(addDuration(readInstant(from)!, readDuration(duration)!))
    t.equal(later('2026-01-31T10:20:30.456Z', 'P1M'), '2026-02-28T10:20:30.456Z')
    t.equal(later('2024-01-31T00:00:00.000Z', 'P1M'), '2024-02-29T00:00:00.000Z')
    t.equal(later('2024-02-29T12:00:00.000Z', 'P1Y'), '2025-02-28T12:00:00.000Z')
    t.equal(later('2026-01-31T23:59:59.999Z', 'P1M1D'), '2026-03-01T23:59:59.999Z')
    t.equal(later('2026-11-30T00:00:00.000Z', 'P3M'), '2027-02-28T00:00:00.000Z')
    t.equal(later('2026-12-31T00:00:00.000Z', 'P14M'), '2028-02-29T00:00:00.000Z')
    t.equal(later('2026-11-20T15:00:00.000Z', 'P3D'), '2026-11-23T15:00:00.000Z')
    t.equal(later('2026-11-20T15:00:00.000Z', 'P2W'), '2026-12-04T15:00:00.000Z')
    t.equal(later('2026-11-20T23:55:00.000Z', 'PT10M'), '2026-11-21T00:05:00.000Z')
    t.equal(later('2026-11-20T15:00:00.000Z', 'P1Y2M3DT4H5M6S'), '2028-01-23T19:05:06.000Z')
    t.equal(later('1969-12-31T23:00:00.000Z', 'P1MT1H'), '1970-02-01T00:00:00.000Z')
  },
)

t.test('the longest duration is added without error', async (t) => {
  const longest = readDuration('P99999Y99999M99999DT999999999H999999999M999999999S')!
  t.ok(Number.isSafeInteger(addDuration(Date.parse('9998-12-31T23:59:59Z'), longest)))
})

t.test('dates outside four digits are an invariant broken', async (t) => {
  t.throws(() => addDays('9999-12-31' as CalendarDate, 1), /four digits/)
  t.throws(() => addDays('0000-01-01' as CalendarDate, -1), /four digits/)
})
