//! A table with its row declared once, and what a field of a row is in its column.
//!
//! Both databases count in signed integers alone, so a number that is never negative is another in
//! its column than in its field. One that is larger than the column counts is written as the
//! largest that it does: only a foreign record could bring it. A negative one is not read.

use diesel::deserialize;

/// A SHA-256, or what is as long.
pub type Hash = [u8; 32];

/// A field of a row.
pub trait Field: Sized {
    /// What its column is read as.
    type Column;
    /// What is written into its column, where the row stays.
    type Lent<'a>
    where
        Self: 'a;

    /// The field of a column.
    ///
    /// # Errors
    /// When the column holds what the field cannot.
    fn from_column(column: Self::Column) -> deserialize::Result<Self>;

    /// The column of the field.
    fn into_column(self) -> Self::Column;

    /// The column of the field, which stays.
    fn lent(&self) -> Self::Lent<'_>;
}

macro_rules! numbers {
    ($($field:ident as $column:ident),*) => {$(
        impl Field for $field {
            type Column = $column;
            type Lent<'a> = $column;
            fn from_column(column: $column) -> deserialize::Result<Self> {
                Ok(column.try_into()?)
            }
            fn into_column(self) -> $column {
                $column::try_from(self).unwrap_or($column::MAX)
            }
            fn lent(&self) -> $column {
                self.into_column()
            }
        }
    )*};
}
numbers!(
    u64 as i64, u32 as i64, i64 as i64, u16 as i16, u8 as i16, i16 as i16
);

macro_rules! as_they_are {
    ($($field:ty, lent as $lent:ty;)*) => {$(
        impl Field for $field {
            type Column = Self;
            type Lent<'a> = &'a $lent;
            fn from_column(column: Self) -> deserialize::Result<Self> {
                Ok(column)
            }
            fn into_column(self) -> Self {
                self
            }
            fn lent(&self) -> &$lent {
                self
            }
        }
    )*};
}
as_they_are! {
    bool, lent as bool;
    String, lent as str;
    Vec<u8>, lent as [u8];
}

impl Field for Hash {
    type Column = Vec<u8>;
    type Lent<'a> = &'a [u8];
    fn from_column(column: Vec<u8>) -> deserialize::Result<Self> {
        Ok(column.as_slice().try_into()?)
    }
    fn into_column(self) -> Vec<u8> {
        self.to_vec()
    }
    fn lent(&self) -> &[u8] {
        self
    }
}

impl<T: Field> Field for Option<T> {
    type Column = Option<T::Column>;
    type Lent<'a>
        = Option<T::Lent<'a>>
    where
        T: 'a;
    fn from_column(column: Self::Column) -> deserialize::Result<Self> {
        column.map(T::from_column).transpose()
    }
    fn into_column(self) -> Self::Column {
        self.map(T::into_column)
    }
    fn lent(&self) -> Self::Lent<'_> {
        self.as_ref().map(T::lent)
    }
}

/// Tables of diesel and, in `rows`, their rows: columns and fields have one name and one order.
/// Behind a row stands `hidden` where it is never to be printed.
macro_rules! tables {
    ($(
        $(#[$doc:meta])*
        $table:ident ($($key:ident),+) $row:ident $($hidden:ident)? {
            $($column:ident: $field:ty as $sql:ident $(<$of:ident>)?,)*
        }
    )*) => {
        $(diesel::table! {
            $(#[$doc])*
            $table ($($key),+) {
                $(
                    #[doc = concat!("Column `", stringify!($column), "`.")]
                    $column -> $sql $(<$of>)?,
                )*
            }
        })*

        diesel::allow_tables_to_appear_in_same_query!($($table),*);

        /// Names of all the tables, in their order here.
        pub const TABLES: &[&str] = &[$(stringify!($table)),*];

        /// Rows, one structure a table, in the order of its columns.
        pub mod rows {
            use diesel::backend::Backend;
            use diesel::deserialize::{self, FromStaticSqlRow, Queryable};
            use diesel::internal::derives::insertable::UndecoratedInsertRecord;
            use diesel::{ExpressionMethods, Insertable, Selectable, dsl};

            use crate::column::{Field, Hash, row};

            $(row! { [$($hidden)?] $(#[$doc])* $table $row { $($column: $field,)* } })*
        }
    };
}

/// The row of a table.
macro_rules! row {
    ([] $($row:tt)*) => { $crate::column::row! { @ #[derive(Debug)] $($row)* } };
    ([hidden] $($row:tt)*) => { $crate::column::row! { @ $($row)* } };
    (@ $(#[$meta:meta])* $table:ident $row:ident { $($column:ident: $field:ty,)* }) => {
        $(#[$meta])*
        #[derive(Clone, PartialEq, Eq, Selectable)]
        #[diesel(table_name = super::$table)]
        pub struct $row {
            $(
                #[doc = concat!("Column `", stringify!($column), "`.")]
                pub $column: $field,
            )*
        }

        impl<ST, DB: Backend> Queryable<ST, DB> for $row
        where
            ($(<$field as Field>::Column,)*): FromStaticSqlRow<ST, DB>,
        {
            type Row = ($(<$field as Field>::Column,)*);

            fn build(($($column,)*): Self::Row) -> deserialize::Result<Self> {
                Ok(Self { $($column: Field::from_column($column)?,)* })
            }
        }

        impl Insertable<super::$table::table> for $row {
            type Values = <(
                $(dsl::Eq<super::$table::$column, <$field as Field>::Column>,)*
            ) as Insertable<super::$table::table>>::Values;

            fn values(self) -> Self::Values {
                ($(super::$table::$column.eq(self.$column.into_column()),)*).values()
            }
        }

        impl<'a> Insertable<super::$table::table> for &'a $row {
            type Values = <(
                $(dsl::Eq<super::$table::$column, <$field as Field>::Lent<'a>>,)*
            ) as Insertable<super::$table::table>>::Values;

            fn values(self) -> Self::Values {
                ($(super::$table::$column.eq(self.$column.lent()),)*).values()
            }
        }

        impl UndecoratedInsertRecord<super::$table::table> for $row {}
    };
}

pub(crate) use {row, tables};
