export declare const ROOM: string;
