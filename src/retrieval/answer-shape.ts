import type { AnswerShape } from './read-query.ts';
import { tellsTime } from './times.ts';

const NUMBER =
  /\d|\b(?:once|twice|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|couple|several|half)\b/i;
const PLACE = /\b(?:in|at|to|from|near|around|of) (?:the )?\p{Lu}\p{Ll}+/u;
const PERSON =
  /[\p{Ll},] (?!I\b)\p{Lu}\p{Ll}+|\b(?:mother|mom|mum|father|dad|sister|brother|wife|husband|partner|aunt|uncle|cousin|friend|friends|neighbour|neighbor|boss|teacher|coach|grandma|grandpa|grandmother|grandfather|son|daughter|niece|nephew|colleague|roommate|kids)\b/u;

/** True of a text that holds the kind of thing that a question asks for. */
export function fitsShape(text: string, shape: AnswerShape): boolean {
  switch (shape) {
    case 'time':
      return tellsTime(text);
    case 'place':
      return PLACE.test(text);
    case 'person':
      return PERSON.test(text);
    case 'number':
      return NUMBER.test(text);
  }
}
