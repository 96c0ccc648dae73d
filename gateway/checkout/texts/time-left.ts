/** The time left in words, rounded down, so that no payer is promised a second that is not there: `1 hora e 5 minutos`. */
export const timeLeft = (language: keyof typeof words, seconds: number): string => {
  const say = words[language]
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  if (minutes < 1) return say.lessThanAMinute
  if (hours < 1) return say.minutes(minutes)
  if (hours >= 48) return say.days(Math.floor(hours / 24))
  const rest = minutes % 60
  return rest === 0 ? say.hours(hours) : `${say.hours(hours)} ${say.and} ${say.minutes(rest)}`
}

const words = {
  'pt-BR': {
    lessThanAMinute: 'menos de 1 minuto',
    minutes: (count: number): string => (count === 1 ? '1 minuto' : `${count} minutos`),
    hours: (count: number): string => (count === 1 ? '1 hora' : `${count} horas`),
    days: (count: number): string => `${count} dias`,
    and: 'e',
  },
  en: {
    lessThanAMinute: 'less than a minute',
    minutes: (count: number): string => (count === 1 ? '1 minute' : `${count} minutes`),
    hours: (count: number): string => (count === 1 ? '1 hour' : `${count} hours`),
    days: (count: number): string => `${count} days`,
    and: 'and',
  },
} as const
