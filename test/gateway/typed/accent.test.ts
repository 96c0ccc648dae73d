import t from 'tap'
import { accentOn, contrastOf, grounds, type PageTheme } from '../../../gateway/typed/accent.ts'

/** The other grounds of each theme, further from its colours. */
const extremes = { light: '#ffffff', dark: '#0e1211' }
const themes = Object.keys(grounds) as PageTheme[]

t.test('contrast is that of the standard', async (t) => {
  t.equal(contrastOf('#000000', '#ffffff'), 21)
  t.equal(contrastOf('#ffffff', '#ffffff'), 1)
  t.equal(contrastOf('#777777', '#ffffff').toFixed(2), '4.48')
  t.equal(contrastOf('#ffffff', '#777777').toFixed(2), '4.48', 'either way round')
})

t.test('text on every colour can be read, and its edge be seen on both grounds', async (t) => {
  // Every seventeenth value of each channel: both ends, and what lies between.
  const values = Array.from({ length: 16 }, (_, n) => (n * 17).toString(16).padStart(2, '0'))
  const wrong: string[] = []
  for (const theme of themes)
    for (const red of values)
      for (const green of values)
        for (const blue of values) {
          const hex = `#${red}${green}${blue}`
          const { background, text } = accentOn(hex, theme)
          if (
            contrastOf(background, text) < 4.5 ||
            contrastOf(background, grounds[theme]) < 3 ||
            contrastOf(background, extremes[theme]) < 3
          )
            wrong.push(`${hex} on ${theme}: ${background} with ${text}`)
        }
  t.strictSame(wrong, [])
})

t.test('a colour that fits stays what it is, and others change by as little as it takes', async (t) => {
  t.strictSame(accentOn('#1F7A5A', 'light'), { background: '#1f7a5a', text: '#ffffff' })
  t.strictSame(accentOn('#ffd400', 'dark'), { background: '#ffd400', text: '#000000' })
  const yellow = accentOn('#ffd400', 'light')
  t.equal(yellow.text, '#000000')
  t.ok(
    contrastOf(yellow.background, grounds.light) < 3.1,
    `${yellow.background} is no darker than it must be`,
  )
  const navy = accentOn('#000080', 'dark')
  t.ok(contrastOf(navy.background, grounds.dark) < 3.1, `${navy.background} is no lighter than it must be`)
  t.equal(
    accentOn('#ffffff').background,
    accentOn('#ffffff', 'light').background,
    'light where none is named',
  )
  t.match(accentOn('#ffffff').background, /^#(..)\1\1$/, 'white on white is grey')
})
