import { MOST_HOUSEHOLD_MEMBERS } from '../../core/domain/intake.ts'
import { capitalised, uncapitalised } from '../../core/domain/name.ts'
import { nameFirst, nameLast } from '../../core/domain/practice.ts'
import { MOST_CHARACTERS, type Named, type Words } from './words-en.ts'

const ELIJA = 'Elija una de las opciones.'

/**
 * What the pages say in Spanish, as it is spoken in the United States, to a client who is addressed
 * with “usted”.
 */
export const spanish = ({ practice, provider: named, phone }: Named): Words => {
  const provider = named ?? 'el calendario'
  // Spanish contracts `a el` and `de el`.
  const [to, from] = named ? [`a ${named}`, `de ${named}`] : ['al calendario', 'del calendario']
  return {
    locale: 'es-US',
    trial: 'Una prueba: no se reserva nada de verdad y no se envía ningún correo.',
    error: 'Error',
    lookAgain: 'Volver a mirar',
    tryAgain: 'Intentar otra vez',
    call: phone && `¿Preguntas? Llame al ${phone}.`,
    useButtons: 'Para volver, use los botones de esta página.',

    day: ({ weekday, month, day }) => `${capitalised(weekday)}, ${day} de ${month}`,
    time: ({ hour, minute }) => `${hour % 12 || 12}:${minute} ${hour < 12 ? 'a. m.' : 'p. m.'}`,
    endedOn: (day) => `Este enlace terminó el ${uncapitalised(day)}.`,
    zoneTime: (place) => `hora de ${place}`,
    minutes: (count) => (count === 1 ? 'un minuto' : `${count} minutos`),
    zones: {
      'America/New_York': ['Nueva York', 'Este'],
      'America/Chicago': ['Chicago', 'Centro'],
      'America/Denver': ['Denver', 'Montaña'],
      'America/Phoenix': ['Phoenix', 'Arizona'],
      'America/Los_Angeles': ['Los Ángeles', 'Pacífico'],
      'America/Anchorage': ['Anchorage', 'Alaska'],
      'Pacific/Honolulu': ['Honolulu', 'Hawái'],
      'America/Puerto_Rico': ['San Juan', 'Puerto Rico'],
    },
    places: {
      video: 'por video',
      inPerson: 'en persona',
      practiceCalls: `por teléfono: ${practice} le llama`,
      inviteeCalls: `por teléfono: usted llama a ${practice}${phone === null ? '' : ` al ${phone}`}`,
      link: `en línea: ${provider} le envía el enlace`,
      byInvitee: 'donde usted diga',
      arranged: `como lo acuerde con ${practice}`,
    },

    times: {
      title: 'Elija una hora',
      who: `${nameFirst(practice)} le pide que elija una hora para esto:`,
      zone: 'Las horas son de',
      zoneOf: (place) => `${place}.`,
      dayAndTime: 'Día y hora',
      other: 'Ver las horas de otro lugar',
      yourZone: 'Su zona horaria',
      show: 'Ver',
      notYet: 'No se reserva nada hasta que usted lo haya revisado.',
      noneFits: phone && `¿Ninguna hora le sirve? Llame al ${phone}.`,
      worksUntil: (until) => `Este enlace sirve una sola vez, hasta el ${uncapitalised(until)}.`,
    },

    details: {
      title: 'Sus datos',
      who: `${nameFirst(practice)} le pide estos datos.`,
      notYet: 'No se envía nada hasta que usted lo haya revisado.',
      changeTime: 'Cambiar la hora',
      change: 'Cambiar',
      more: (count) => `${count} preguntas más (opcionales)`,
      optional: 'opcional',
      choose: 'Elija…',
      noAnswer: 'Sin respuesta',
      never: 'No escriba nunca números de Seguro Social, de cuenta o de tarjeta.',
      review: 'Revisar',
      terms: `Condiciones de ${practice}`,
      notice: `Aviso de ${practice}`,
      haveRead: 'He leído esto',
      whoSees: 'Quién ve esto',
      toCalendar: `Su nombre y su correo electrónico van ${to} para hacer la reserva.`,
      noAddress: 'Después nadie puede leer aquí su correo electrónico.',
      kept: 'Este servicio guarda sus iniciales y su correo electrónico con letras ocultas.',
      answers: `Guarda sus respuestas para ${practice}, que decide quién puede leerlas.`,
      toldDone:
        'El asistente que le envió este enlace sabrá que usted ha terminado, pero no lo que escribe.',
      readsClient:
        'El asistente que le envió este enlace sabrá que usted ha terminado, y puede leer ' +
        'sus iniciales y su correo electrónico con letras ocultas.',
      readsAnswers:
        'El asistente que le envió este enlace sabrá que usted ha terminado, y puede leer ' +
        'sus iniciales, su correo electrónico con letras ocultas y sus respuestas.',
    },

    asked: {
      title: 'Para esta consulta',
      place: 'Dónde',
      phone: 'Su número de teléfono',
      ifCalled: `Solo si ${practice} debe llamarle.`,
      several: 'Puede elegir varias.',
      perLine: 'Cada uno en su propia línea.',
      other: 'Otra respuesta',
      toCalendar:
        'Lo que responde para esta consulta, y su número de teléfono si se le pide, van ' +
        `${to}. No se guardan en ningún otro lugar.`,
      wanted: {
        text: `Escriba una respuesta, con ${MOST_CHARACTERS.answer} caracteres como máximo.`,
        choice: ELIJA,
        choiceOrOther: 'Elija una de las opciones, o escriba otra respuesta.',
        choices: 'Elija al menos una de las opciones.',
        number: 'Escriba un número, como 3.',
        phone:
          'Escriba un número de teléfono, como (202) 555-0147; si es de otro país, con + y el código del país.',
        email: 'Escriba un correo electrónico, como nombre@example.com.',
        emails: 'Escriba los correos electrónicos, cada uno en su propia línea.',
      },
    },

    review: {
      title: '¿Está todo bien?',
      name: 'Nombre',
      email: 'Correo electrónico',
      kept: (name, email) =>
        `De su nombre y su correo electrónico este servicio guarda solo ${name} y ${email}.`,
      labelled: 'Los teléfonos y los correos electrónicos en lo que escribió no se guardan.',
      mail: (email) => `Después de reservar, ${provider} le escribe a ${email}.`,
      book: 'Reservar',
      send: 'Enviar',
      change: 'Cambiar algo',
      anotherTime: 'Otra hora',
      notYet: (button) => `No se envía nada hasta que pulse «${button}».`,
    },

    done: {
      booked: 'Reservado',
      asked: 'Solicitado',
      accepts: `${nameFirst(practice)} todavía tiene que aceptarlo.`,
      next: 'Qué sigue',
      mail: `En unos minutos le llega un correo ${from}.`,
      mailWhenAccepted: `En cuanto ${practice} lo acepte, le llega un correo ${from}.`,
      toChange: `Para cambiarlo o cancelarlo, use el correo ${from}.`,
      noMail: phone && `¿No llega en una hora? Llame al ${phone}.`,
      trial: '(prueba)',
      toCalendar: 'Agregar a su calendario',
      consultWith: `Consulta con ${practice}`,
      close: 'Puede cerrar esta página.',
      received: 'Recibido',
      changed: 'Ya cambió',
      changedText: `Esta consulta se cambió o se canceló después de reservarla. El correo más reciente ${from} dice qué vale ahora.`,
      isInCalendar:
        'Su consulta está en el calendario: no la reserve otra vez. ' +
        `El correo ${from} dice cuándo es.`,
      askedAgain: `${nameFirst(practice)} puede pedirle sus datos otra vez.`,
      hasIt: `${nameFirst(practice)} tiene lo que usted envió. Puede cerrar esta página.`,
    },

    states: {
      noLink: 'Este enlace no funciona',
      copyAll: 'Cópielo otra vez completo.',
      isNew: 'Un momento',
      isNewText: 'Este enlace es nuevo.',
      checking: 'Todavía estamos comprobando',
      inDoubt:
        'Se envió, y la respuesta del calendario no llegó. ' +
        'Puede que esté reservado. Seguimos comprobando: no lo envíe otra vez.',
      ended: 'Este enlace ya no está abierto',
      expired: `Ha vencido. Pida otro enlace a ${nameLast(practice)}`,
      withdrawn: `Fue retirado. Pida otro enlace a ${nameLast(practice)}`,
      lost: 'Este enlace ya no funciona',
      standsIfBooked:
        'Si ya reservó una hora con este enlace, esa reserva sigue en pie: no reserve otra ' +
        `vez, y pregunte a ${nameLast(practice)}`,
      otherwise: `Si no, pida otro enlace a ${nameLast(practice)}`,
      askIfReceived: `Si envió sus datos antes, pregunte a ${practice} si los tiene antes de enviar nada otra vez.`,
      ifNothingSent: `Si todavía no ha enviado nada, pida otro enlace a ${nameLast(practice)}`,
      notSent: 'No se envió',
      used: 'Este enlace ya se usó. Lo que escribió aquí no se envió.',
      noTimes: 'Ya no hay horas libres',
      askForLink: `No se envió nada. Pida otro enlace a ${nameLast(practice)}`,
      notNow: 'Ahora no',
      paused: `No se envió nada. En este momento ${practice} no acepta nada en esta página.`,
      notTaken:
        `No se envió nada. En este momento ${practice} no acepta esto en esta página. ` +
        `Por favor, llame a ${nameLast(practice)}`,
      misconfigured:
        'No se envió nada. En este momento no se puede reservar en esta página, y solo ' +
        `${practice} puede arreglarlo.`,
    },

    said: {
      wrong: 'Falta algo o algo no está bien. No se envió nada.',
      lookAgain: 'Algo ha cambiado. Por favor, revíselo otra vez. No se envió nada.',
      taken: 'Esa hora ya no está libre. No se envió nada.',
      tooLong: 'Han pasado más de dos horas. Escríbalo otra vez. No se envió nada.',
      held:
        'Lo que escribió no se ha perdido: deje abierta esta página, e inténtelo otra vez ' +
        'dentro de las próximas dos horas.',
      changed:
        'Lo que se pregunta para esta consulta ha cambiado. Por favor, revíselo otra vez. No se envió nada.',
      busy: 'El calendario no responde ahora. No se envió nada. Inténtelo dentro de un minuto.',
      manyAsk:
        'Muchas personas buscan una hora ahora. No se envió nada. Inténtelo dentro de un minuto.',
    },

    refused: {
      title: 'Eso no funcionó',
      notSent: 'No se envió nada.',
      back: 'No se envió nada. Vuelva a la página de su enlace y pulse otra vez su botón.',
      unknown:
        'Algo falló aquí, y no se sabe si llegó lo que envió. ' +
        'Vuelva a la página de su enlace y pulse otra vez el mismo botón: nada se hace dos ' +
        'veces.',
      tooMany:
        'Este enlace se abrió muchas veces en un minuto. Espere un minuto e inténtelo otra vez.',
      tooLong: 'Lo que se envió es demasiado largo. No se guardó nada. Vuelva y acórtelo.',
    },

    fields: {
      name: ['Su nombre', `Escriba su nombre, con ${MOST_CHARACTERS.name} caracteres como máximo.`],
      email: ['Correo electrónico', 'Escriba un correo electrónico, como nombre@example.com.'],
      email_again: [
        'Correo electrónico otra vez',
        'Los dos correos electrónicos son distintos. Corrija uno de ellos.',
      ],
      entity_type: ['Usted es cliente como', ELIJA],
      primary_goal: ['¿Qué es lo más importante para usted?', ELIJA],
      tax_situation: ['Su situación de impuestos', ELIJA],
      has_existing_cpa: ['¿Tiene contador (CPA) ahora?', ELIJA],
      preferred_meeting: ['¿Cómo prefiere reunirse?', ELIJA],
      household_members: [
        'Personas en su hogar',
        `Escriba un número del 1 al ${MOST_HOUSEHOLD_MEMBERS}.`,
      ],
      annual_revenue_band: ['Ingresos anuales de su negocio', ELIJA],
      notes: ['¿Algo más?', `Escriba ${MOST_CHARACTERS.notes} caracteres como máximo.`],
      start_time: ['Hora', 'Elija una hora.'],
    },
    sensitive:
      'No incluya números de Seguro Social, de impuestos, de identificación, de tarjeta ni de ' +
      'cuenta, ni documentos.',
    broken: 'Un carácter está dañado. Escríbalo otra vez.',
    notAccepted: `Cámbielo: ${provider} no lo acepta así.`,

    options: {
      entity_type: {
        individual: 'Individuo',
        joint: 'Matrimonio que declara en conjunto',
        trust: 'Fideicomiso',
        llc: 'LLC',
        s_corp: 'Corporación S',
        c_corp: 'Corporación C',
        partnership: 'Sociedad',
        estate: 'Sucesión',
      },
      primary_goal: {
        retirement: 'La jubilación',
        tax_planning: 'Planificar los impuestos',
        business_formation: 'Empezar un negocio',
        wealth_transfer: 'Dejar un patrimonio',
        cash_flow: 'El flujo de dinero',
        other: 'Otra cosa',
      },
      tax_situation: {
        simple: 'Sencilla',
        multi_state: 'Varios estados',
        business_owner: 'Dueño de un negocio',
        estate: 'Una sucesión',
      },
      has_existing_cpa: { yes: 'Sí', no: 'No' },
      preferred_meeting: {
        virtual: 'Por video o por teléfono',
        in_person: 'En persona',
        either: 'Me da igual',
      },
      annual_revenue_band: {
        under_100k: 'Menos de $100,000',
        '100k_500k': 'De $100,000 a $500,000',
        '500k_2m': 'De $500,000 a $2 millones',
        over_2m: 'Más de $2 millones',
      },
    },
  }
}
